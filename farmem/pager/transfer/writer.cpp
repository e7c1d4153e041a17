// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/writer.hpp"

#include <utility>

namespace tmm::far {

Writer::Writer(Store& store, const char* slots, LinkPlace& link, bool is_async, std::function<void()> wake)
    : store_(store), slots_(slots), link_(link), is_async_(is_async), wake_(std::move(wake)), thread_([this] { run(); }) {}

Writer::~Writer() {
    {
        const std::lock_guard guard(lock_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Writer::add(const std::vector<EntryId>& drops, const std::vector<Write>& writes) {
    if (drops.empty() && writes.empty())
        return;
    std::vector<Job> jobs;
    jobs.reserve(drops.size() + writes.size());
    for (const EntryId entry : drops)
        jobs.push_back({entry, no_slot, 0});
    for (const Write& write : writes)
        jobs.push_back({write.entry, write.slot, write.version});
    if (!is_async_)
        return carry_out(jobs);
    {
        const std::lock_guard guard(lock_);
        jobs_.insert(jobs_.end(), jobs.begin(), jobs.end());
    }
    changed_.notify_one();
}

std::vector<Writer::Written> Writer::take_written() {
    const std::lock_guard guard(lock_);
    return std::exchange(written_, {});
}

void Writer::run() {
    std::unique_lock guard(lock_);
    for (;;) {
        changed_.wait(guard, [&] { return ends_ || !jobs_.empty(); });
        if (ends_)
            return;
        const std::vector<Job> jobs = std::exchange(jobs_, {});
        guard.unlock();
        carry_out(jobs);
        guard.lock();
    }
}

void Writer::carry_out(const std::vector<Job>& jobs) {
    const std::size_t max_puts = is_async_ ? max_batch : 1;
    for (std::size_t at = 0; at < jobs.size();) {
        std::vector<EntryId> drops;
        for (; at < jobs.size() && jobs[at].slot == no_slot; ++at)
            drops.push_back(jobs[at].entry);
        if (!drops.empty())
            store_.drop(drops);
        std::vector<Store::Put> puts;
        const std::size_t first = at;
        for (; at < jobs.size() && jobs[at].slot != no_slot && puts.size() < max_puts; ++at)
            puts.push_back({jobs[at].entry, jobs[at].version, slots_ + std::uint64_t{jobs[at].slot} * page_bytes});
        if (puts.empty())
            continue;
        link_.out.carry(link_.out_number, static_cast<std::uint32_t>(puts.size() * page_bytes));
        store_.put(puts);
        {
            const std::lock_guard guard(lock_);
            for (std::size_t i = 0; i < puts.size(); ++i)
                written_.push_back({jobs[first + i].slot, puts[i].is_stored});
        }
        wake_();
    }
}

}  // namespace tmm::far
