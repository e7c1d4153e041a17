// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/ketama.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tmm::far {

namespace {

constexpr int hashes_per_server = 40;
constexpr std::size_t points_per_hash = 4;

std::array<unsigned char, 16> md5(std::string_view text) {
    std::array<unsigned char, 16> digest{};
    if (::EVP_Digest(text.data(), text.size(), digest.data(), nullptr, ::EVP_md5(), nullptr) != 1)
        std::abort();
    return digest;
}

std::uint32_t point(const std::array<unsigned char, 16>& digest, std::size_t number) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i > 0; --i)
        value = value << 8 | digest[number * 4 + i - 1];
    return value;
}

// The default port is left out; a Unix socket has port 0.
std::string name_of(const std::string& server) {
    constexpr std::string_view default_port = ":11211";
    if (server.ends_with(default_port))
        return server.substr(0, server.size() - default_port.size());
    return server.starts_with('/') ? server + ":0" : server;
}

}  // namespace

Ketama::Ketama(const std::vector<std::string>& servers) {
    for (std::size_t server = 0; server < servers.size(); ++server) {
        for (int hash = 0; hash < hashes_per_server; ++hash) {
            const auto digest = md5(name_of(servers[server]) + "-" + std::to_string(hash));
            for (std::size_t number = 0; number < points_per_hash; ++number)
                points_.emplace_back(point(digest, number), server);
        }
    }
    std::sort(points_.begin(), points_.end());
}

std::size_t Ketama::server_of(std::string_view key) const {
    const std::uint32_t hash = point(md5(key), 0);
    const auto next = std::lower_bound(points_.begin(), points_.end(), std::pair(hash, std::size_t{0}));
    return (next == points_.end() ? points_.front() : *next).second;
}

}  // namespace tmm::far
