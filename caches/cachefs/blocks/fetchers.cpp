// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/fetchers.hpp"

#include <utility>

namespace tmm::caches {

Fetchers::Fetchers(std::size_t threads, std::size_t max_waiting_per_user) : turns_({threads, threads, max_waiting_per_user}) {
    for (std::size_t thread = 0; thread < threads; ++thread)
        threads_.emplace_back([this] { run(); });
}

Fetchers::~Fetchers() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void Fetchers::add(uid_t user, Job job) {
    {
        const std::lock_guard lock(mutex_);
        if (!turns_.begin(user)) {
            turns_.wait(user, 1, std::move(job));
            return;
        }
        begun_.emplace_back(user, std::move(job));
    }
    wake_.notify_one();
}

void Fetchers::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stops_ || !begun_.empty(); });
        if (stops_)
            return;
        const auto [user, job] = std::move(begun_.front());
        begun_.pop_front();
        lock.unlock();
        job();
        lock.lock();
        if (auto next = turns_.finish(user))
            begun_.push_back(std::move(*next));
    }
}

}  // namespace tmm::caches
