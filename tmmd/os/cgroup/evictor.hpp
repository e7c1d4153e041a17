// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Evictor: evicts the memory of frozen contributions, so that it is free before a program needs it. A write to memory.reclaim
// takes as long as the swap device, so a thread of its own does it. It evicts all of a paused contribution in steps, and rests
// for as long as each step took: at least half of a slow disk remains for the owner. It evicts a part, which the owner waits for,
// without rests, in steps that soon end when the contribution is to run again (core/giving/holds/evict_pace).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/quantity.hpp"
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
    // Requests the eviction of a part of it, before all requests for all. Nothing is evicted unless the cgroup is frozen, or soon
    // will be: a running program would read back what it loses. bytes: above 0. Otherwise as evict().
    virtual Result<void> evict_part(const std::string& cgroup, Bytes bytes) = 0;
    // Withdraws the requests: the cgroup's memory stays from now on, once the kernel is done with the current step.
    virtual void spare(const std::string& cgroup) = 0;
    // Returns whether any request for a part is not done. A withdrawn one counts until the kernel is done with its step.
    [[nodiscard]] virtual bool evicts_parts() const = 0;
};

// ReclaimingEvictor: evicts by cgroup v2's memory.reclaim. Its thread starts at the first evict(), and sleeps while there is no
// request. Call the methods from one thread at a time. The destructor waits for the end of the current step.
class ReclaimingEvictor final : public Evictor {
public:
    static constexpr std::uint64_t step_bytes = std::uint64_t{8} << 20;

    // root must outlive it. patience: time to wait until the processes of a cgroup stand still.
    explicit ReclaimingEvictor(const RootDir& root, std::chrono::milliseconds patience = std::chrono::seconds(5))
        : root_(root), patience_(patience) {}

    Result<void> evict(const std::string& cgroup) override { return add({cgroup, 0}); }
    Result<void> evict_part(const std::string& cgroup, Bytes bytes) override { return add({cgroup, bytes.count()}); }
    void spare(const std::string& cgroup) override;
    [[nodiscard]] bool evicts_parts() const override;

    // Waits until all requests are done, or cannot be.
    void wait();

private:
    struct Request {
        std::string cgroup;
        std::uint64_t part_bytes = 0;  // 0: all

        bool operator==(const Request&) const = default;
    };

    Result<void> add(const Request& request);
    void work(const std::stop_token& stop);
    [[nodiscard]] bool is_first(const Request& request) const { return !queue_.empty() && queue_.front() == request; }
    void evict_all(const Request& request, std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void evict_part(const Request& request, std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    bool wait_until_frozen(const Request& request, const RootDir& cgroup, std::unique_lock<std::mutex>& lock,
                           const std::stop_token& stop);

    const RootDir& root_;
    std::chrono::milliseconds patience_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Request> queue_;  // the thread works on the first; parts come before all others
    bool in_part_step_ = false;  // the kernel evicts a step of a part now
    std::jthread thread_;        // the last member: it uses the others
};

}  // namespace tmm::os
