// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Progress: counts the requests and rebuilds of a program, and prints them once a second for soft_applications.py:
// progress NAME PID SECONDS REQUESTS MISSES REBUILD_SECONDS. Thread-safe.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace tmm::soft_memory {

class Progress {
public:
    // out: a stream that lives as long; lines are flushed.
    explicit Progress(std::string name, std::FILE* out = stdout)
        : name_(std::move(name)), out_(out), printer_([this] { print(); }) {}
    ~Progress() {
        {
            const std::lock_guard guard(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        printer_.join();
        print_line();
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void request() { ++requests_; }
    // Calls make, and counts it as a rebuild.
    template <class Make>
    auto rebuild(Make make) {
        const auto begin = std::chrono::steady_clock::now();
        auto made = make();
        rebuilt(std::chrono::steady_clock::now() - begin);
        return made;
    }
    void rebuilt(std::chrono::nanoseconds took) {
        ++misses_;
        rebuild_ns_ += static_cast<std::uint64_t>(took.count());
    }
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    [[nodiscard]] std::uint64_t requests() const { return requests_; }
    [[nodiscard]] std::uint64_t misses() const { return misses_; }

private:
    void print() {
        std::unique_lock guard(mutex_);
        while (!changed_.wait_for(guard, std::chrono::seconds(1), [this] { return ends_; }))
            print_line();
    }
    void print_line() {
        std::fprintf(out_, "progress %s %d %.3f %llu %llu %.6f\n", name_.c_str(), static_cast<int>(getpid()), seconds(),
                     static_cast<unsigned long long>(requests_.load()), static_cast<unsigned long long>(misses_.load()),
                     static_cast<double>(rebuild_ns_.load()) / 1e9);
        std::fflush(out_);
    }

    const std::string name_;
    std::FILE* out_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<std::uint64_t> requests_{0};
    std::atomic<std::uint64_t> misses_{0};
    std::atomic<std::uint64_t> rebuild_ns_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false;
    std::thread printer_;
};

}  // namespace tmm::soft_memory
