// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/byte_store.hpp"

#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tmm::caches {
namespace {

HashSecret random_secret() {
    HashSecret secret;
    if (getrandom(&secret, sizeof secret, 0) != static_cast<ssize_t>(sizeof secret)) {
        throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    return secret;
}

std::uint32_t seconds_awake_and_asleep() {
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return static_cast<std::uint32_t>(time.tv_sec);
}

std::function<std::uint32_t()> seconds_from_now_on() {
    // The first is not 0, which means never.
    return [start = seconds_awake_and_asleep() - 1] { return seconds_awake_and_asleep() - start; };
}

constexpr std::uint32_t latest_expiry = (std::uint32_t{1} << Slot::expires_bits) - 1;
constexpr std::uint32_t last_access_mask = (std::uint32_t{1} << Slot::last_access_bits) - 1;
/// Older ones are made as old as this before they would look young again.
constexpr std::uint32_t long_ago = last_access_mask / 2;

std::uint32_t age_of(const Slot& slot, std::uint32_t now) {
    return (now - static_cast<std::uint32_t>(slot.last_access)) & last_access_mask;
}

// What an item takes in the heap, about.
std::size_t stored_bytes(std::string_view key, const Item& item) {
    constexpr std::size_t others = 16;
    return item.value.size() + key.size() + others;
}

}  // namespace

/// A pointer to a slot's object that does not own it.
class ByteStore::Borrowed {
public:
    Borrowed(Pool& pool, Entry entry) : pointer_(pool, entry) {}
    ~Borrowed() { static_cast<void>(pointer_.release()); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    const Pointer* operator->() const { return &pointer_; }

    static Entry entry_of(const Slot& slot) { return reinterpret_cast<Entry>(std::uintptr_t{slot.entry_eighths} * 8); }
    static std::uint64_t eighths_of(Entry entry) { return reinterpret_cast<std::uintptr_t>(entry) / 8; }

private:
    Pointer pointer_;
};

ByteStore::ByteStore(const ByteStoreOptions& options)
    : heap_(options.heap),
      max_value_bytes_(std::min(options.max_value_bytes, soft::max_object_bytes - max_trailer_bytes)),
      fast_above_bytes_(options.fast_above_bytes),
      now_(options.now ? options.now : seconds_from_now_on()),
      secret_(options.secret ? *options.secret : random_secret()),
      pool_(options.heap, "items", [] { return Buffer(); }) {}

ByteStore::~ByteStore() {
    for (Shard& shard : shards_) {
        shard.table.each([&](Slot& slot) { free_entry(shard, Borrowed::entry_of(slot)); });
    }
}

ByteStore::Place ByteStore::place_of(std::string_view key) {
    const std::uint64_t hash = sip_hash(key, secret_);
    return {shards_[hash >> (64 - shard_bits)],
            static_cast<std::uint32_t>(hash >> (64 - shard_bits - index_hash_bits)) & ((std::uint32_t{1} << index_hash_bits) - 1),
            hash};
}

void ByteStore::free_entry(Shard& shard, Entry entry) {
    for (Shard::Pin& pin : shard.pins) {
        if (pin.entry == entry) {
            pin.is_dropped = true;
            return;
        }
    }
    Pointer(pool_, entry).reset();
}

void ByteStore::drop(Shard& shard, Slot* slot) {
    free_entry(shard, Borrowed::entry_of(*slot));
    shard.table.erase(slot);
}

void ByteStore::drop_lost(Shard& shard, Slot* slot) {
    shard.ghosts.add(static_cast<std::uint32_t>(slot->hash));
    drop(shard, slot);
}

// May let go of the lock meanwhile: then the caller's slot is not valid any more.
std::optional<Buffer> ByteStore::read(Shard& shard, std::unique_lock<std::mutex>& lock, const Slot& slot) {
    const Entry entry = Borrowed::entry_of(slot);
    if (slot.is_large == 0) {
        return Borrowed(pool_, entry)->try_get();
    }
    const auto pin_of = [&] {
        return std::find_if(shard.pins.begin(), shard.pins.end(), [&](const Shard::Pin& pin) { return pin.entry == entry; });
    };
    if (const auto pin = pin_of(); pin != shard.pins.end()) {
        ++pin->readers;
    } else {
        shard.pins.push_back({entry, 1, false});
    }
    const auto unpin = [&] {
        lock.lock();
        const auto pin = pin_of();
        if (--pin->readers == 0) {
            const bool is_dropped = pin->is_dropped;
            shard.pins.erase(pin);
            if (is_dropped) {
                Pointer(pool_, entry).reset();
            }
        }
    };
    lock.unlock();
    std::optional<Buffer> record;
    try {
        record = Borrowed(pool_, entry)->try_get();
    } catch (...) {
        unpin();
        throw;
    }
    unpin();
    return record;
}

// Makes the item of a record that was read; `record` becomes its value.
ByteStore::Found ByteStore::open(std::string_view key, const Slot& slot, std::uint32_t now, Buffer& record, Item& item) const {
    const std::optional<Parsed> parsed = parse_record(record.view());
    if (!parsed || parsed->trailer.key != key) {
        return Found::other_key;
    }
    if (parsed->trailer.generation != generation_.load(std::memory_order_relaxed)) {
        return Found::flushed;
    }
    item.cas = parsed->trailer.cas;
    item.flags = parsed->trailer.flags;
    item.expires = static_cast<std::uint32_t>(slot.expires);
    item.last_access = now - std::min(now, age_of(slot, now));
    item.is_fetched = slot.is_fetched != 0;
    item.marks = static_cast<std::uint8_t>(slot.marks);
    record.resize(parsed->value_bytes);
    item.value = std::move(record);
    return Found::item;
}

std::optional<Item> ByteStore::get(std::string_view key, Use use) {
    const Place place = place_of(key);
    std::optional<Item> item = find(place, key, use);
    if (watch_.watches(place.whole_hash)) [[unlikely]] {
        if (item) {
            watch_.found(place.whole_hash, stored_bytes(key, *item));
        } else {
            watch_.missed(place.whole_hash);
        }
    }
    return item;
}

std::optional<Item> ByteStore::find(const Place& place, std::string_view key, Use use) {
    const std::uint32_t now = now_();
    flush_if_due(now);
    Shard& shard = place.shard;
    const std::uint32_t hash = place.hash;
    std::unique_lock lock(shard.mutex);
    Slot* slot = shard.table.find(hash);
    if (slot == nullptr) {
        ++shard.counts.unknown;
        return std::nullopt;
    }
    if (is_expired(*slot, now)) {
        ++shard.counts.expired;
        drop(shard, slot);
        return std::nullopt;
    }
    const bool was_unlocked = slot->is_large != 0;
    const std::uint64_t entry_eighths = slot->entry_eighths;
    std::optional<Buffer> record = read(shard, lock, *slot);
    if (was_unlocked) {
        slot = shard.table.find(hash);
    }
    if (slot == nullptr || slot->entry_eighths != entry_eighths) {
        // Another thread removed or replaced it meanwhile.
        ++shard.counts.unknown;
        return std::nullopt;
    }
    if (!record) {
        ++shard.counts.lost;
        if (!was_unlocked || !Borrowed(pool_, Borrowed::entry_of(*slot))->is_there()) {
            drop_lost(shard, slot);
        }
        return std::nullopt;
    }
    std::optional<Item> item(std::in_place);
    switch (open(key, *slot, now, *record, *item)) {
        case Found::item:
            break;
        case Found::other_key:
            ++shard.counts.unknown;
            return std::nullopt;
        case Found::flushed:
            ++shard.counts.flushed;
            drop(shard, slot);
            return std::nullopt;
    }
    ++shard.counts.hits;
    if (use == Use::counts) {
        slot->is_fetched = 1;
        slot->last_access = now & last_access_mask;
    }
    return item;
}

Outcome ByteStore::update_with(std::string_view key, Need need, Decision (*decide)(void*, Item*), void* function) {
    if (key.size() > max_key_bytes) {
        return {};
    }
    const std::uint32_t now = now_();
    flush_if_due(now);
    const Place place = place_of(key);
    Shard& shard = place.shard;
    const std::lock_guard lock(shard.mutex);
    Slot* slot = shard.table.find(place.hash);
    if (slot != nullptr && is_expired(*slot, now)) {
        drop(shard, slot);
        slot = nullptr;
    }
    Item item;
    bool is_there = false;
    if (slot != nullptr && need == Need::item) {
        std::optional<Buffer> record = Borrowed(pool_, Borrowed::entry_of(*slot))->try_get();
        const Found found = record ? open(key, *slot, now, *record, item) : Found::flushed;
        is_there = found == Found::item;
        if (!record) {
            drop_lost(shard, slot);
            slot = nullptr;
        } else if (found == Found::flushed) {
            drop(shard, slot);
            slot = nullptr;
        }
    }
    Decision decision = decide(function, is_there ? &item : nullptr);
    if (Put* wanted = std::get_if<Put>(&decision)) {
        return put(place, slot, key, *wanted, now);
    }
    if (!is_there) {
        return {};
    }
    if (std::holds_alternative<Remove>(decision)) {
        drop(shard, slot);
        return {Outcome::What::removed, item.cas};
    }
    if (const Touch* touch = std::get_if<Touch>(&decision)) {
        if (touch->marks) {
            slot->marks = *touch->marks & 3U;
        }
        if (touch->expires) {
            slot->expires = std::min(*touch->expires, latest_expiry);
        }
        return {Outcome::What::touched, item.cas};
    }
    return {Outcome::What::kept, item.cas};
}

Outcome ByteStore::put(Place place, Slot* slot, std::string_view key, Put& put, std::uint32_t now) {
    Shard& shard = place.shard;
    const auto no_item = [&](Outcome outcome) {
        if (slot != nullptr) {
            drop(shard, slot);
        }
        return outcome;
    };
    if (put.value.size() > max_value_bytes_) {
        return no_item({Outcome::What::too_large, 0});
    }
    const std::uint64_t cas = put.cas ? *put.cas : next_cas_.fetch_add(1, std::memory_order_relaxed);
    if (put.expires != 0 && put.expires <= now) {
        return no_item({Outcome::What::stored, cas});
    }
    shard.ghosts.fit(shard.table.size() + 8);
    append_trailer(put.value, {key, cas, put.flags, generation_.load(std::memory_order_relaxed)});
    // An item that was got, or is wanted again soon after it was lost, need not prove itself.
    const bool is_wanted = slot != nullptr ? slot->is_fetched != 0 || !Borrowed(pool_, Borrowed::entry_of(*slot))->may_be_there()
                                           : shard.ghosts.take(place.hash);
    if (slot == nullptr) {
        Pointer fresh = pool_.make();
        Slot made{};
        made.hash = place.hash;
        made.entry_eighths = Borrowed::eighths_of(fresh.release());
        try {
            slot = shard.table.insert(made);
        } catch (...) {
            free_entry(shard, Borrowed::entry_of(made));
            throw;
        }
    }
    if (!Borrowed(pool_, Borrowed::entry_of(*slot))->write(put.value)) {
        ++shard.counts.no_room;
        return no_item({Outcome::What::no_room, 0});
    }
    if (is_wanted) {
        Borrowed(pool_, Borrowed::entry_of(*slot))->vouch();
    }
    ++shard.counts.stored;
    if (watch_.watches(place.whole_hash)) [[unlikely]] {
        watch_.put(place.whole_hash, put.value.size());
    }
    slot->last_access = now & last_access_mask;
    slot->marks = put.marks & 3U;
    slot->expires = std::min(put.expires, latest_expiry);
    slot->is_fetched = 0;
    slot->is_large = put.value.size() >= large_bytes ? 1 : 0;
    // The puts that evict items also find their slots: once while half of the items are put anew, about.
    constexpr std::size_t places_a_put = 4;
    sweep_locked(shard, shard.swept_to, places_a_put, false, now);
    return {Outcome::What::stored, cas};
}

void ByteStore::flush(std::uint32_t delay_seconds) {
    const std::lock_guard lock(flush_mutex_);
    if (delay_seconds > 0) {
        flush_at_.store(now_() + delay_seconds, std::memory_order_relaxed);
    } else {
        flush_at_.store(0, std::memory_order_relaxed);
        flush_now();
    }
}

void ByteStore::flush_if_due(std::uint32_t now) {
    const std::uint32_t at = flush_at_.load(std::memory_order_relaxed);
    if (at == 0 || at > now) [[likely]] {
        return;
    }
    const std::lock_guard lock(flush_mutex_);
    const std::uint32_t still = flush_at_.load(std::memory_order_relaxed);
    if (still != 0 && still <= now) {
        flush_now();
        flush_at_.store(0, std::memory_order_relaxed);
    }
}

// Items of former generations are found out when they are read, or by sweeps. Before a generation's number is used again they
// must be gone.
void ByteStore::flush_now() {
    const unsigned next = (generation_.load(std::memory_order_relaxed) + 1) % nr_generations;
    generation_.store(next, std::memory_order_relaxed);
    heap_.seal();
    heap_.release(SIZE_MAX);
    if (next == 0) {
        for (Shard& shard : shards_) {
            const std::lock_guard lock(shard.mutex);
            shard.table.each([&](Slot& slot) { free_entry(shard, Borrowed::entry_of(slot)); });
            shard.table.clear();
        }
    }
}

std::size_t ByteStore::sweep_locked(Shard& shard, std::size_t& from, std::size_t places, bool reads, std::uint32_t now) {
    std::size_t freed = 0;
    from = shard.table.sweep(
        std::min(from, shard.table.places()), places,
        [&](Slot& slot) {
            const Borrowed pointer(pool_, Borrowed::entry_of(slot));
            const bool is_lost = !pointer->may_be_there() || (reads && !pointer->is_there());
            if (is_lost || is_expired(slot, now)) {
                if (is_lost) {
                    shard.ghosts.add(static_cast<std::uint32_t>(slot.hash));
                }
                free_entry(shard, Borrowed::entry_of(slot));
                ++freed;
                return true;
            }
            if (age_of(slot, now) > long_ago) {
                slot.last_access = (now - long_ago) & last_access_mask;
            }
            return false;
        },
        [](const Slot& slot) { __builtin_prefetch(Borrowed::entry_of(slot)); });
    shard.counts.swept += freed;
    return freed;
}

std::size_t ByteStore::sweep(std::size_t places, bool reads) {
    // As many as take some 20 us.
    constexpr std::size_t places_at_a_time = 1024;
    const std::uint32_t now = now_();
    flush_if_due(now);
    const std::lock_guard lock(sweep_mutex_);
    std::size_t freed = 0;
    for (std::size_t empty = 0; places > 0 && empty < nr_shards;) {
        Shard& shard = shards_[sweep_shard_];
        const std::size_t before = sweep_from_;
        {
            const std::lock_guard shard_lock(shard.mutex);
            freed += sweep_locked(shard, sweep_from_, std::min(places, places_at_a_time), reads, now);
        }
        if (sweep_from_ > before) {
            places -= std::min(places, sweep_from_ - before);
            continue;
        }
        sweep_shard_ = (sweep_shard_ + 1) % nr_shards;
        places -= std::min(places, places_at_a_time);
        ++empty;
    }
    return freed;
}

std::size_t ByteStore::sweep_all(bool reads) {
    constexpr std::size_t places_at_a_time = 1024;
    const std::uint32_t now = now_();
    flush_if_due(now);
    std::size_t freed = 0;
    for (Shard& shard : shards_) {
        std::size_t from = 0;
        do {
            const std::lock_guard lock(shard.mutex);
            freed += sweep_locked(shard, from, places_at_a_time, reads, now);
        } while (from > 0);
    }
    return freed;
}

void ByteStore::visit_with(std::size_t number, void (*use)(void*, std::string_view, const Item&), void* function) {
    const std::uint32_t now = now_();
    flush_if_due(now);
    Shard& shard = shards_[number % nr_shards];
    const std::lock_guard lock(shard.mutex);
    shard.table.each([&](Slot& slot) {
        if (is_expired(slot, now)) {
            return;
        }
        std::optional<Buffer> record = Borrowed(pool_, Borrowed::entry_of(slot))->try_get();
        const std::optional<Parsed> parsed = record ? parse_record(record->view()) : std::nullopt;
        if (!parsed) {
            return;
        }
        Item item;
        char key[max_key_bytes];
        parsed->trailer.key.copy(key, sizeof key);
        const std::string_view copied(key, parsed->trailer.key.size());
        if (open(copied, slot, now, *record, item) == Found::item) {
            use(function, copied, item);
        }
    });
}

void ByteStore::set_limit(std::size_t bytes, bool is_urgent) {
    const auto for_items = [&] {
        const std::size_t ordinary = ordinary_bytes();
        return bytes - std::min(bytes, ordinary);
    };
    const std::size_t before = heap_.segment_bytes();
    std::size_t wanted = for_items();
    if (before > wanted) {
        if (is_urgent || before - wanted > fast_above_bytes_) {
            heap_.release(before - wanted);
        } else {
            sweep_all(false);
            heap_.shrink(before - wanted);
        }
        // Finds the slots of the items that went; the index becomes smaller.
        sweep_all(false);
        wanted = for_items();
    }
    heap_.set_limit(wanted);
}

std::size_t ByteStore::ordinary_bytes() const {
    const ByteStoreStatistics now = statistics();
    // An entry of softlib's table is one word an item.
    return now.index_bytes + pool_.statistics().objects * sizeof(std::uint64_t);
}

ByteStoreStatistics ByteStore::statistics() const {
    ByteStoreStatistics all;
    for (const Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        for (const auto count : {&ByteStoreStatistics::hits, &ByteStoreStatistics::unknown, &ByteStoreStatistics::lost,
                                 &ByteStoreStatistics::expired, &ByteStoreStatistics::flushed, &ByteStoreStatistics::stored,
                                 &ByteStoreStatistics::no_room, &ByteStoreStatistics::swept}) {
            all.*count += shard.counts.*count;
        }
        all.items += shard.table.size();
        all.index_bytes += shard.table.bytes() + shard.ghosts.bytes();
    }
    return all;
}

}  // namespace tmm::caches
