// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench/material.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "coordinate/records.hpp"
#include "src/budget/coordinated_budget.hpp"

namespace soft::bench {
namespace {

// The socket of a thread that stands for tmmd: it grants a gibibyte to one heap.
const std::string& stand_in_path() {
    static const auto* const path = [] {
        const auto* made = new std::string("/tmp/softlib-benchmark-" + std::to_string(::getpid()));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, made->c_str(), sizeof address.sun_path - 1);
        const int listener = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(listener, 1) != 0) {
            std::abort();
        }
        std::thread([listener, made] {
            const int peer = ::accept(listener, nullptr, nullptr);
            ::unlink(made->c_str());
            soft::coordinate::report report{};
            while (::recv(peer, &report, sizeof report, 0) > 0) {
                const soft::coordinate::grant grant{
                    {soft::coordinate::version, static_cast<std::uint32_t>(soft::coordinate::kind::grant)},
                    report.number,
                    gibibyte,
                    10'000,
                    0};
                ::send(peer, &grant, sizeof grant, MSG_NOSIGNAL);
            }
        }).detach();
        return made;
    }();
    return *path;
}

}  // namespace

heap& common_heap() {
    static auto* const one = new heap({.limit_bytes = gibibyte});
    return *one;
}

heap& told_heap() {
    static auto* const one = [] {
        auto* made = new heap({.limit_bytes = gibibyte});
        made->follow(std::make_unique<soft::coordinated_budget>(*made, stand_in_path()));
        return made;
    }();
    return *one;
}

const std::vector<std::uint32_t>& order() {
    static const auto* const all = [] {
        auto* made = new std::vector<std::uint32_t>(objects);
        for (std::uint32_t i = 0; i < objects; ++i) {
            (*made)[i] = i;
        }
        std::shuffle(made->begin(), made->end(), std::mt19937(1));
        return made;
    }();
    return *all;
}

}  // namespace soft::bench
