// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Evictor: evicts the memory of frozen contributions, so that it is free before a program needs it. A write to memory.reclaim
// takes as long as the swap device, so a thread of its own does it, in steps. After each step the thread rests for as long as the
// step took. So at least half of a slow disk remains for the owner, who has just come back.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

class Evictor {
public:
    Evictor() = default;
    Evictor(const Evictor&) = delete;
    Evictor& operator=(const Evictor&) = delete;
    virtual ~Evictor() = default;

    // Requests the eviction of all memory of a cgroup (below the root directory), after earlier requests. Returns at once. Error:
    // EAGAIN, no thread can be started; the memory stays until the kernel needs it.
    virtual Result<void> evict(const std::string& cgroup) = 0;
    // Withdraws the request: the cgroup's memory stays from now on.
    virtual void spare(const std::string& cgroup) = 0;
};

// ReclaimingEvictor: evicts by cgroup v2's memory.reclaim. Its thread starts at the first evict(), and sleeps while there is no
// request. Call the methods from one thread at a time. The destructor waits for the end of the current step.
class ReclaimingEvictor final : public Evictor {
public:
    static constexpr std::uint64_t step_bytes = std::uint64_t{8} << 20;

    // root must outlive it.
    explicit ReclaimingEvictor(const RootDir& root) : root_(root) {}

    Result<void> evict(const std::string& cgroup) override;
    void spare(const std::string& cgroup) override;

    // Waits until all requests are done, or cannot be.
    void wait();

private:
    void work(const std::stop_token& stop);
    void evict_first(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

    const RootDir& root_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::string> queue_;  // the thread works on the first
    std::jthread thread_;            // the last member: it uses the others
};

}  // namespace tmm::os
