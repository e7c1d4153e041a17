// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/fetcher.hpp"

#include <utility>

namespace tmm::far {

Fetcher::Fetcher(Store& store, std::mutex& gets, char* slots, std::function<void()> wake)
    : store_(store), gets_(gets), slots_(slots), wake_(std::move(wake)), thread_([this] { run(); }) {}

Fetcher::~Fetcher() {
    {
        const std::lock_guard guard(lock_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Fetcher::add(std::vector<Prefetch> batch) {
    {
        const std::lock_guard guard(lock_);
        batches_.push_back(std::move(batch));
    }
    changed_.notify_one();
}

std::vector<Fetcher::Fetched> Fetcher::take_fetched() {
    const std::lock_guard guard(lock_);
    return std::exchange(fetched_, {});
}

void Fetcher::run() {
    std::unique_lock guard(lock_);
    for (;;) {
        changed_.wait(guard, [&] { return ends_ || !batches_.empty(); });
        if (ends_)
            return;
        const std::vector<Prefetch> batch = std::move(batches_.front());
        batches_.pop_front();
        guard.unlock();
        carry_out(batch);
        guard.lock();
    }
}

void Fetcher::carry_out(const std::vector<Prefetch>& batch) {
    std::vector<Store::Get> gets;
    gets.reserve(batch.size());
    for (const Prefetch& one : batch)
        gets.push_back({.entry = one.entry,
                        .version = one.version,
                        .page = slots_ + std::uint64_t{one.slot} * page_bytes,
                        .is_found = false});
    {
        const std::lock_guard guard(gets_);
        store_.get(gets);
    }
    {
        const std::lock_guard guard(lock_);
        for (std::size_t i = 0; i < batch.size(); ++i)
            fetched_.push_back({batch[i].slot, gets[i].is_found});
    }
    wake_();
}

}  // namespace tmm::far
