// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProcessWatch: to look at a process may never end, as a user may have the kernel wait for a file system of one's own. It tells
// another process, by memory that both share, which process is being looked at, and knows those from which nobody came back.
// Called from one thread of each process; the one that watches forks the other.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/root_dir.hpp"
#include "tmmd/os/sources/opaque_processes.hpp"

namespace tmm::os {

// The processes from which nobody came back. Pure, but for begin_pass().
class StuckProcesses {
public:
    // A user who had so many has no process looked at; root, whose cgroups others may share, has no such bound.
    static constexpr std::size_t max_per_user = 4;
    // Then one less counts: a user who lets each end and starts another would stop every pass otherwise.
    static constexpr std::size_t passes_to_forgive = 256;

    void add(std::uint64_t number, uid_t user);
    [[nodiscard]] bool has(std::uint64_t number, uid_t user) const;
    // Begins a pass over all processes: forgets those that have ended.
    void begin_pass(const RootDir& root);

private:
    struct User {
        std::set<std::uint64_t> running{};
        std::size_t times = 0;  // that one got stuck, less those forgiven
    };

    std::map<uid_t, User> users_;
    std::size_t passes_ = 0;
};

class ProcessWatch {
public:
    // Error: no memory to share.
    static Result<ProcessWatch> make();

    using TimePoint = std::chrono::steady_clock::time_point;

    // Call it before a look. Returns whether the process may be looked at.
    bool begin(const OpaqueProcess& process, TimePoint now);

    // For the process that watches, before each order. Forgets the stuck ones that have ended.
    void prepare(const RootDir& root, TimePoint now);
    // Returns when the latest look began, or the order if there was none.
    [[nodiscard]] TimePoint latest() const { return TimePoint(TimePoint::duration(shared_->began)); }
    // Notes that the latest look does not end, for watched processes that are forked later. Returns the process, for people;
    // nothing if there was none.
    std::optional<std::string> give_up();

private:
    struct Shared {
        std::atomic<std::uint64_t> number{0};  // of the process; 0: none yet
        std::atomic<uid_t> user{0};
        std::atomic<TimePoint::rep> began{0};
    };
    struct Unmap {
        void operator()(Shared* shared) const;
    };

    explicit ProcessWatch(std::unique_ptr<Shared, Unmap> shared) : shared_(std::move(shared)) {}

    std::unique_ptr<Shared, Unmap> shared_;
    StuckProcesses stuck_;
};

}  // namespace tmm::os
