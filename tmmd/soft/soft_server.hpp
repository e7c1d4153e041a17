// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SoftServer: the socket of programs with soft memory. It takes their reports, and sends them grants. It never waits, and handles
// a bounded number of records in a call, so nothing that a program does delays tmmd. Called from one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bounds/quota.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/soft/division.hpp"
#include "tmmd/core/soft/soft_heap.hpp"

namespace tmm::soft {

class SoftServer {
public:
    static constexpr const char* default_path = "run/tmm/soft";
    // Of heaps at once. A program beyond is refused, and its heap follows the machine by itself.
    static constexpr std::size_t max_per_user = 64;
    static constexpr std::size_t max_in_all = 1024;
    // A heap that has not reported for so long gets nothing: it is stopped, and others may use its memory.
    static constexpr std::chrono::seconds silence{10};

    // Asked about processes as of SO_PEERCRED.
    struct Processes {
        // Returns the user for whom a process of a user counts; nothing to refuse it.
        std::function<std::optional<uid_t>(pid_t, uid_t)> user_of = [](pid_t, uid_t user) { return user; };
        // Returns the memory of a process: its heaps use no more, whatever they tell.
        std::function<Bytes(pid_t)> memory_of = [](pid_t) { return Bytes(UINT64_MAX); };
    };

    // Replaces the socket of an earlier run. processes: by default, all that they tell is believed. Error: it cannot be made.
    static Result<SoftServer> open(const RootDir& root, const std::string& path = default_path) { return open(root, path, {}); }
    static Result<SoftServer> open(const RootDir& root, const std::string& path, Processes processes);

    // Takes new programs and all reports that have come. Call it once a tick.
    void serve(core::AwakeTime now);

    // Returns the latest report of each heap that has sent one, and is not silent.
    [[nodiscard]] std::vector<core::SoftHeap> heaps(core::AwakeTime now) const;

    // Tells each heap what it may have. urgent: others need the memory at once. A heap that does not read misses it.
    void grant(const std::vector<core::SoftGrant>& grants, bool urgent);

    // For people.
    struct Peer {
        pid_t process;
        uid_t user;
        std::string name;
        core::SoftHeap heap;
        Bytes granted;
    };
    [[nodiscard]] std::vector<Peer> peers() const;

private:
    struct Connection {
        UniqueFd socket;
        pid_t process;
        uid_t user;
        Quota<uid_t>::Ticket ticket;
        std::string name{};
        std::optional<core::SoftHeap> heap{};
        std::uint64_t number = 0;  // of the latest report
        core::AwakeTime first_reported{};
        core::AwakeTime reported{};
        Bytes granted{0};
    };

    SoftServer(UniqueFd listener, Processes processes) : listener_(std::move(listener)), processes_(std::move(processes)) {}
    void take_new();
    // Returns whether it stays connected.
    [[nodiscard]] static bool take_records(std::uint64_t id, Connection& connection, core::AwakeTime now);

    UniqueFd listener_;
    Processes processes_;
    Quota<uid_t> quota_{max_per_user, max_in_all};
    std::map<std::uint64_t, Connection> connections_;  // by heap
    std::uint64_t latest_id_ = 0;
};

}  // namespace tmm::soft
