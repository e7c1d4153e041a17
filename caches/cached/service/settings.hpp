// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Settings: what the command line asks for. The names are those of memcached's "stats settings".
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tmm::caches {

// The memcached whose protocol and command line this program has; clients read its number.
inline constexpr const char* protocol_version = "1.6.38";

enum class Binding : std::uint8_t { automatic, ascii, binary };

struct Settings {
    int verbosity = 0;
    std::size_t memory_bytes = 0;  // at most; 0: what the machine can spare
    bool has_fixed_memory = false;
    std::size_t max_item_bytes = std::size_t{1} << 20;
    std::size_t nr_threads = 4;
    std::uint16_t port = 11211;
    bool has_port = false;
    bool any_port = false;               // that is free
    bool listens_tcp = true;             // unless there is a socket_path
    std::vector<std::string> addresses;  // HOST or HOST:PORT; none: loopback
    std::string socket_path;
    std::string crsh_path;
    mode_t socket_mode = 0700;
    std::size_t max_connections = 1024;
    bool refuses_at_once = true;
    std::size_t max_requests_per_turn = 20;
    int backlog = 1024;
    Binding binding = Binding::automatic;
    bool allows_flush = true;
    bool allows_dump = true;
    bool has_cas = true;
    bool allows_shutdown = false;
    bool moves_clock = false;  // for memcached's own tests: "debugtime"
    bool keep_alive = false;
    std::chrono::seconds idle_timeout{0};
    std::string auth_file;
    std::string user;
    std::string pid_file;
    bool daemonizes = false;
    bool locks_memory = false;
    bool dumps_core = false;
};

}  // namespace tmm::caches
