// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/accounts.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace tmm::caches {
namespace {

constexpr const char* this_machine = "this machine";
constexpr std::uint8_t loopback_net = 127;
constexpr std::size_t network_bytes = 8;   // of an IPv6 address
constexpr std::size_t mapped_offset = 12;  // of an IPv4 address in an IPv6 one

std::string user_at(const in_addr& address) {
    if (ntohl(address.s_addr) >> 24U == loopback_net)
        return this_machine;
    std::array<char, INET_ADDRSTRLEN> text{};
    return ::inet_ntop(AF_INET, &address, text.data(), text.size());
}

std::string user_at(in6_addr address) {
    if (IN6_IS_ADDR_LOOPBACK(&address))
        return this_machine;
    if (IN6_IS_ADDR_V4MAPPED(&address)) {
        in_addr mapped{};
        std::copy_n(std::begin(address.s6_addr) + mapped_offset, sizeof mapped, reinterpret_cast<std::uint8_t*>(&mapped));
        return user_at(mapped);
    }
    std::fill(std::begin(address.s6_addr) + network_bytes, std::end(address.s6_addr), std::uint8_t{0});
    std::array<char, INET6_ADDRSTRLEN> text{};
    return ::inet_ntop(AF_INET6, &address, text.data(), text.size());
}

}  // namespace

std::string user_at(const sockaddr_storage& address) {
    return address.ss_family == AF_INET ? user_at(reinterpret_cast<const sockaddr_in&>(address).sin_addr)
                                        : user_at(reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

bool Account::reserve_input(std::size_t bytes) {
    std::size_t held = input_bytes_.load();
    while (held == 0 || held + bytes <= max_bytes_) {
        if (input_bytes_.compare_exchange_weak(held, held + bytes))
            return true;
    }
    return false;
}

std::shared_ptr<Account> Accounts::join(const std::string& user) {
    const std::lock_guard lock(mutex_);
    if (connections_ >= bounds_.max_connections)
        return nullptr;
    auto& account = users_[user];
    if (!account)
        account = std::make_shared<Account>(bounds_.max_bytes_per_user);
    if (user != own_user_ && account->connections_ >= bounds_.max_connections_per_user)
        return nullptr;
    ++account->connections_;
    ++connections_;
    return account;
}

void Accounts::leave(const std::string& user) {
    const std::lock_guard lock(mutex_);
    const auto found = users_.find(user);
    --connections_;
    if (--found->second->connections_ == 0)
        users_.erase(found);
}

std::size_t Accounts::connections() const {
    const std::lock_guard lock(mutex_);
    return connections_;
}

}  // namespace tmm::caches
