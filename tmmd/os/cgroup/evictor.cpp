// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/evictor.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/core/giving/holds/evict_pace.hpp"

namespace tmm::os {

namespace {

using Clock = std::chrono::steady_clock;

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

bool is_frozen(const RootDir& cgroup) {
    const auto text = cgroup.read_file("cgroup.events");
    const auto frozen = text ? parse_stat(*text, "frozen") : Result<std::uint64_t>(text.error());
    return frozen && *frozen == 1;
}

}  // namespace

Result<void> ReclaimingEvictor::add(const Request& request) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) {
        try {
            thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
        } catch (const std::system_error& error) {
            return Error(error.code().value(), "cannot evict frozen contributions: no thread: " + error.code().message());
        }
    }
    if (std::find(queue_.begin(), queue_.end(), request) != queue_.end())
        return {};
    const auto is_all = [](const Request& one) { return one.part_bytes == 0; };
    queue_.insert(is_all(request) ? queue_.end() : std::find_if(queue_.begin(), queue_.end(), is_all), request);
    changed_.notify_all();
    return {};
}

void ReclaimingEvictor::spare(const std::string& cgroup) {
    const std::lock_guard lock(mutex_);
    std::erase_if(queue_, [&](const Request& request) { return request.cgroup == cgroup; });
    changed_.notify_all();
}

bool ReclaimingEvictor::evicts_parts() const {
    const std::lock_guard lock(mutex_);
    return in_part_step_ || (!queue_.empty() && queue_.front().part_bytes != 0);
}

void ReclaimingEvictor::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty(); });
}

void ReclaimingEvictor::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !queue_.empty(); })) {
        const Request request = queue_.front();
        request.part_bytes != 0 ? evict_part(request, lock, stop) : evict_all(request, lock, stop);
        if (is_first(request))
            queue_.pop_front();
        changed_.notify_all();
    }
}

// Ends when the cgroup has vanished or nothing more can be evicted, because swap is full or missing. It also ends when the
// steps add up to the memory at the start. A part that the owner waits for interrupts it; it begins anew after that.
void ReclaimingEvictor::evict_all(const Request& request, std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    lock.unlock();
    const auto dir = root_.subdir_without_links(request.cgroup);
    const std::uint64_t steps = dir ? (memory_of(*dir) + step_bytes - 1) / step_bytes : 0;
    lock.lock();
    for (std::uint64_t i = 0; i < steps && is_first(request) && !stop.stop_requested(); ++i) {
        lock.unlock();
        const Clock::time_point start = Clock::now();
        const std::uint64_t bytes = std::min(memory_of(*dir), step_bytes);
        const bool evicted = bytes > 0 && evict_some(*dir, bytes);
        const Clock::duration taken = Clock::now() - start;
        lock.lock();
        if (!evicted)
            return;
        changed_.wait_for(lock, stop, taken, [&] { return !is_first(request); });
    }
}

// A process that waits for a disk stands still only after that.
bool ReclaimingEvictor::wait_until_frozen(const Request& request, const RootDir& cgroup, std::unique_lock<std::mutex>& lock,
                                          const std::stop_token& stop) {
    constexpr std::chrono::milliseconds between_looks{5};
    const Clock::time_point deadline = Clock::now() + patience_;
    for (;;) {
        lock.unlock();
        const bool frozen = is_frozen(cgroup);
        lock.lock();
        if (frozen || !is_first(request) || stop.stop_requested() || Clock::now() >= deadline)
            return frozen && is_first(request) && !stop.stop_requested();
        changed_.wait_for(lock, stop, between_looks, [&] { return !is_first(request); });
    }
}

void ReclaimingEvictor::evict_part(const Request& request, std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    lock.unlock();
    const auto dir = root_.subdir_without_links(request.cgroup);
    lock.lock();
    Bytes left(dir ? request.part_bytes : 0);
    Bytes step = core::EvictPace::min_step;
    while (left > Bytes(0) && wait_until_frozen(request, *dir, lock, stop)) {
        const Bytes bytes = std::min(left, step);
        in_part_step_ = true;
        lock.unlock();
        const Clock::time_point start = Clock::now();
        const bool evicted = dir->write_file("memory.reclaim", std::to_string(bytes.count())).has_value();
        step = core::EvictPace::next(step, Clock::now() - start);
        lock.lock();
        in_part_step_ = false;
        left = evicted ? left - bytes : Bytes(0);
    }
}

}  // namespace tmm::os
