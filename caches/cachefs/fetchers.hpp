// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fetchers: threads that fetch blocks ahead. So a slow store serves several at once, and no reader waits for one it did not ask
// for. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tmm::caches {

class Fetchers {
public:
    /// At most max_waiting jobs wait. Throws std::system_error if no thread can be started.
    Fetchers(std::size_t threads, std::size_t max_waiting);
    /// Drops the jobs that wait, and waits for those that run.
    ~Fetchers();
    Fetchers(const Fetchers&) = delete;
    Fetchers& operator=(const Fetchers&) = delete;

    /// Has a thread run the job, in the order of the calls. Drops it if too many wait: what is fetched ahead may be missed. A job
    /// throws nothing.
    void add(std::function<void()> job);

private:
    void run();

    const std::size_t max_waiting_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> jobs_;
    bool stops_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace tmm::caches
