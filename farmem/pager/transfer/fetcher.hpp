// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fetcher: a thread that gets a program's prefetches from its store once the link has room for them. Demand does not wait for it:
// it is got by the program's own thread in between.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "farmem/core/program.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class Fetcher {
public:
    struct Fetched {
        SlotId slot = no_slot;
        bool is_filled = false;
    };

    // gets: is held while the store is asked. slots: the memory of all slots. wake: called after each batch, in this thread.
    Fetcher(Store& store, std::mutex& gets, char* slots, std::function<void()> wake);
    ~Fetcher();
    Fetcher(const Fetcher&) = delete;
    Fetcher& operator=(const Fetcher&) = delete;

    // Demand waits for one batch at most.
    void add(std::vector<Prefetch> batch);
    std::vector<Fetched> take_fetched();

private:
    void run();
    void carry_out(const std::vector<Prefetch>& batch);

    Store& store_;
    std::mutex& gets_;
    char* slots_;
    std::function<void()> wake_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<std::vector<Prefetch>> batches_;
    std::vector<Fetched> fetched_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace tmm::far
