// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Evictor: gives the memory of contributions that stand still back to the machine, instead of leaving it there until somebody
// needs it. A write to memory.reclaim takes as long as the swap device, so it is done by a thread of its own, in steps, with a
// rest after each that is as long as the step took: at most half of a slow disk is taken from the owner, who has just come back.
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

    // Asks for all memory of a cgroup (below the root directory) to be evicted, after those asked for before. Returns at once.
    // Error: EAGAIN, there is no thread to be had; the memory stays where it is until somebody needs it.
    virtual Result<void> evict(const std::string& cgroup) = 0;
    // Its memory is to stay from now on.
    virtual void spare(const std::string& cgroup) = 0;
};

// By cgroup v2's memory.reclaim. The thread exists from the first evict() on, and sleeps while there is nothing to do. Methods
// may be called from one thread at a time; the destructor waits for the step under way.
class ReclaimingEvictor final : public Evictor {
public:
    static constexpr std::uint64_t step_bytes = std::uint64_t{8} << 20;

    // root must outlive it.
    explicit ReclaimingEvictor(const RootDir& root) : root_(root) {}

    Result<void> evict(const std::string& cgroup) override;
    void spare(const std::string& cgroup) override;

    // Until all is evicted that was asked for, or cannot be.
    void wait();

private:
    void work(const std::stop_token& stop);
    void evict_first(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

    const RootDir& root_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::string> queue_;  // the first is being worked on
    std::jthread thread_;            // the last member: it uses the others
};

}  // namespace tmm::os
