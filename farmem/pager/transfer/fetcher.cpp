// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/fetcher.hpp"

#include <algorithm>
#include <utility>

namespace tmm::far {

namespace {

// Demand waits for one batch at most, at the store and at the link.
constexpr std::uint64_t max_fetch = 8;

}  // namespace

Fetcher::Fetcher(Store& store, std::mutex& gets, char* slots, LinkPlace& link, std::function<void()> wake)
    : store_(store), gets_(gets), slots_(slots), link_(link), wake_(std::move(wake)), thread_([this] { run(); }) {}

Fetcher::~Fetcher() {
    {
        const std::lock_guard guard(lock_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Fetcher::add(const std::vector<Prefetch>& prefetches) {
    if (prefetches.empty())
        return;
    {
        const std::lock_guard guard(lock_);
        jobs_.insert(jobs_.end(), prefetches.begin(), prefetches.end());
    }
    changed_.notify_one();
}

Fetcher::Needed Fetcher::need(SlotId slot) {
    {
        const std::lock_guard guard(lock_);
        const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Prefetch& one) { return one.slot == slot; });
        if (job != jobs_.end()) {
            jobs_.erase(job);
            return Needed::cancelled;
        }
    }
    return link_.in.hurry(link_.in_number) ? Needed::hurried : Needed::sent;
}

std::vector<Fetcher::Fetched> Fetcher::take_fetched() {
    const std::lock_guard guard(lock_);
    return std::exchange(fetched_, {});
}

void Fetcher::run() {
    const std::uint64_t max_pages = std::min<std::uint64_t>(max_fetch, link_.in.max_bytes() / page_bytes);
    std::unique_lock guard(lock_);
    for (;;) {
        changed_.wait(guard, [&] { return ends_ || !jobs_.empty(); });
        if (ends_)
            return;
        const auto end = jobs_.begin() + static_cast<std::ptrdiff_t>(std::min(jobs_.size(), max_pages));
        const std::vector<Prefetch> batch(jobs_.begin(), end);
        jobs_.erase(jobs_.begin(), end);
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
    const auto bytes = static_cast<std::uint32_t>(batch.size() * page_bytes);
    if (link_.in.wait_turn(link_.in_number, Urgency::prefetch, bytes, batch.back().deadline)) {
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
