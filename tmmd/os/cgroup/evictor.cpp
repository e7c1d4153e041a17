// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/evictor.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "base/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

std::uint64_t memory_of(const RootDir& cgroup) {
    const auto text = cgroup.read_file("memory.current");
    const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
    return bytes ? *bytes : 0;
}

// Returns whether any memory was evicted. The write fails with EAGAIN even if only a part could not be evicted.
bool evict_some(const RootDir& cgroup, std::uint64_t bytes) {
    const std::uint64_t before = memory_of(cgroup);
    return cgroup.write_file("memory.reclaim", std::to_string(bytes)) || memory_of(cgroup) < before;
}

}  // namespace

Result<void> ReclaimingEvictor::evict(const std::string& cgroup) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) {
        try {
            thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
        } catch (const std::system_error& error) {
            return Error(error.code().value(), "cannot evict frozen contributions: no thread: " + error.code().message());
        }
    }
    if (std::find(queue_.begin(), queue_.end(), cgroup) == queue_.end())
        queue_.push_back(cgroup);
    changed_.notify_all();
    return {};
}

void ReclaimingEvictor::spare(const std::string& cgroup) {
    const std::lock_guard lock(mutex_);
    std::erase(queue_, cgroup);
    changed_.notify_all();
}

void ReclaimingEvictor::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty(); });
}

void ReclaimingEvictor::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !queue_.empty(); })) {
        const std::string cgroup = queue_.front();
        evict_first(lock, stop);
        if (!queue_.empty() && queue_.front() == cgroup)
            queue_.pop_front();
        changed_.notify_all();
    }
}

// Ends when the cgroup has vanished or nothing more can be evicted, because swap is full or missing. It also ends when the
// steps add up to the memory at the start.
void ReclaimingEvictor::evict_first(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const std::string cgroup = queue_.front();
    const auto is_asked_for = [&] { return !queue_.empty() && queue_.front() == cgroup; };
    lock.unlock();
    const auto dir = root_.subdir_without_links(cgroup);
    const std::uint64_t steps = dir ? (memory_of(*dir) + step_bytes - 1) / step_bytes : 0;
    lock.lock();
    for (std::uint64_t i = 0; i < steps && is_asked_for() && !stop.stop_requested(); ++i) {
        lock.unlock();
        const Clock::time_point start = Clock::now();
        const std::uint64_t bytes = std::min(memory_of(*dir), step_bytes);
        const bool evicted = bytes > 0 && evict_some(*dir, bytes);
        const Clock::duration taken = Clock::now() - start;
        lock.lock();
        if (!evicted)
            return;
        changed_.wait_for(lock, stop, taken, [&] { return !is_asked_for(); });
    }
}

}  // namespace tmm::os
