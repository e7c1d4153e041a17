// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/fetchers.hpp"

#include <utility>

namespace tmm::caches {

Fetchers::Fetchers(std::size_t threads, std::size_t max_waiting) : max_waiting_(max_waiting) {
    for (std::size_t thread = 0; thread < threads; ++thread)
        threads_.emplace_back([this] { run(); });
}

Fetchers::~Fetchers() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
        jobs_.clear();
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void Fetchers::add(std::function<void()> job) {
    {
        const std::lock_guard lock(mutex_);
        if (jobs_.size() >= max_waiting_)
            return;
        jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
}

void Fetchers::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stops_ || !jobs_.empty(); });
        if (stops_)
            return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
        lock.lock();
    }
}

}  // namespace tmm::caches
