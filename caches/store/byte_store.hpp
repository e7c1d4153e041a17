// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ByteStore: the items of a cache server, in soft memory. Key, flags, cas and value are one soft object, which the kernel or the
// heap may take at any time; the next get finds that out and is a miss. It never answers with another key's value.
//
// The index is ordinary memory: 16 bytes an item, by a keyed hash, in shards with one lock each. Two keys with the same 36 bits
// of hash share a place, and the later put wins.
//
// Functions are thread-safe, except construction and destruction. Those with a key throw std::bad_alloc, and change nothing then.
// Keys have at most max_key_bytes; longer ones are never there. The heap outlives the store.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "caches/store/buffer.hpp"
#include "caches/store/ghosts.hpp"
#include "caches/store/index_table.hpp"
#include "caches/store/record.hpp"
#include "caches/store/sip_hash.hpp"
#include "softlib/key_watch.hpp"
#include "softlib/pool.hpp"

namespace tmm::caches {

struct ByteStoreOptions {
    /// Where the items are. Nothing else shall be in it: a flush empties it. With heap_options::probation it evicts best.
    soft::heap& heap;
    std::size_t max_value_bytes = std::size_t{128} << 20;
    /// set_limit() that lowers the limit by more than this gives memory back fast. Mortar's threshold (Hwang et al., VEE 2014,
    /// section 6.8).
    std::size_t fast_above_bytes = std::size_t{1} << 30;
    /// Returns the present second, at least 1; it never falls. Called for each operation, by all threads. Empty: seconds since
    /// the store was made, also while the machine sleeps.
    std::function<std::uint32_t()> now = {};
    /// Nothing: random.
    std::optional<HashSecret> secret = std::nullopt;
};

/// An item as it is read. The value is a copy that the caller owns.
struct Item {
    Buffer value;
    std::uint64_t cas = 0;
    std::uint32_t flags = 0;
    /// In seconds of the store's clock; 0: never.
    std::uint32_t expires = 0;
    /// When somebody got or put it last before, in seconds of the store's clock; after some 18 hours only "long ago".
    std::uint32_t last_access = 0;
    /// Somebody got it since it was put.
    bool is_fetched = false;
    /// Bits that the caller keeps with the item, below 4.
    std::uint8_t marks = 0;
};

/// Answers of update()'s `decide`.
struct Keep {};
struct Remove {};
/// Changes the item in its place; nothing: as it was.
struct Touch {
    std::optional<std::uint32_t> expires = std::nullopt;
    std::optional<std::uint8_t> marks = std::nullopt;
};
/// Makes it the key's item. A value with max_trailer_bytes of spare capacity is copied once.
struct Put {
    Buffer value;
    std::uint32_t flags = 0;
    /// As Item::expires. In the past: the key has no item afterwards.
    std::uint32_t expires = 0;
    std::uint8_t marks = 0;
    /// The client's own; nothing: the store's next.
    std::optional<std::uint64_t> cas = std::nullopt;
};
using Decision = std::variant<Keep, Remove, Touch, Put>;

struct Outcome {
    enum class What : std::uint8_t {
        kept,       ///< nothing changed
        removed,    ///<
        touched,    ///<
        stored,     ///<
        too_large,  ///< the value; the key has no item afterwards
        no_room,    ///< in the heap; the same
    };
    What what = What::kept;
    /// Of the item afterwards: stored's new one, otherwise that of the item that was read; 0: none.
    std::uint64_t cas = 0;
};

/// Counts since the store was made, and the present size.
struct ByteStoreStatistics {
    std::uint64_t hits = 0;
    /// Misses: no such key; its memory was taken; too old; put before a flush.
    std::uint64_t unknown = 0;
    std::uint64_t lost = 0;
    std::uint64_t expired = 0;
    std::uint64_t flushed = 0;
    std::uint64_t stored = 0;
    std::uint64_t no_room = 0;
    /// Slots that sweeps have freed.
    std::uint64_t swept = 0;
    /// Items in the index now; some may be gone.
    std::size_t items = 0;
    /// Ordinary memory of the index now, with what it remembers of lost items.
    std::size_t index_bytes = 0;
};

class ByteStore {
public:
    /// Throws std::bad_alloc, and std::system_error without random numbers.
    explicit ByteStore(const ByteStoreOptions& options);
    ~ByteStore();
    ByteStore(const ByteStore&) = delete;
    ByteStore& operator=(const ByteStore&) = delete;

    /// Whether a read counts as a use: for last_access and is_fetched. For eviction every read does.
    enum class Use : std::uint8_t { counts, does_not };
    std::optional<Item> get(std::string_view key, Use use = Use::counts);

    /// What update() reads for `decide`.
    enum class Need : std::uint8_t {
        nothing,  ///< decide(nullptr) always: for a plain set, which reads nothing
        item,     ///< the present item, or nullptr
    };
    /// Calls decide(Item*), which returns a Decision and may take the item's value, under the lock of the key; then does so. It
    /// must not use the store. Remove and Touch without a present item are Keep. Also throws what `decide` throws. Changes
    /// neither last_access nor is_fetched of an item that stays.
    template <class Decide>
    Outcome update(std::string_view key, Need need, Decide&& decide) {
        using Function = std::remove_reference_t<Decide>;
        return update_with(
            key, need, [](void* function, Item* item) -> Decision { return (*static_cast<Function*>(function))(item); }, &decide);
    }

    /// All items that are there `delay_seconds` from now are gone then; a later flush replaces it. Without delay, their memory is
    /// given back at once, less that of segments that are being filled.
    void flush(std::uint32_t delay_seconds = 0);

    /// Looks at the next `places` places of the index, about, and frees those whose items are gone or too old. If `reads`, also
    /// finds items that the kernel took, which costs an access to memory for each. Returns the number of freed places.
    std::size_t sweep(std::size_t places, bool reads);
    /// The same for the whole index.
    std::size_t sweep_all(bool reads);

    /// Bounds the memory that the store takes: soft memory and ordinary_bytes() together, in bytes. Call it again now and then,
    /// since the index grows and shrinks. Where the limit falls, items go: first those that are too old, then those that were not
    /// read lately (Mortar's SCRA). If `is_urgent` or it falls far, whole segments go at once, without a look at items (FCRA).
    /// Readers do not wait for either.
    void set_limit(std::size_t bytes, bool is_urgent = false);
    /// Ordinary memory of the index, and of softlib's tables; in bytes, about.
    [[nodiscard]] std::size_t ordinary_bytes() const;

    /// Calls use(std::string_view key, const Item&) for the items of one of nr_shards shards under its lock. Reads them all.
    template <class Visit>
    void visit(std::size_t shard, Visit&& use) {
        using Function = std::remove_reference_t<Visit>;
        visit_with(
            shard, [](void* function, std::string_view key, const Item& item) { (*static_cast<Function*>(function))(key, item); },
            &use);
    }
    static constexpr std::size_t shard_bits = 8;
    static constexpr std::size_t nr_shards = std::size_t{1} << shard_bits;

    /// The present second of the store's clock.
    [[nodiscard]] std::uint32_t now() const { return now_(); }
    [[nodiscard]] soft::heap& get_heap() const { return heap_; }
    [[nodiscard]] std::size_t max_value_bytes() const { return max_value_bytes_; }
    [[nodiscard]] ByteStoreStatistics statistics() const;

private:
    using Pool = soft::pool<Buffer>;
    using Pointer = soft::unique_ptr<Buffer>;
    using Entry = decltype(std::declval<Pointer&>().release());
    class Borrowed;

    /// Values from here on are read without the shard's lock, which another thread may want.
    static constexpr std::size_t large_bytes = std::size_t{32} * 1024;

    // Aligned: threads that use different shards do not contend for cache lines.
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        IndexTable table;
        Ghosts ghosts;
        /// Where puts go on to sweep.
        std::size_t swept_to = 0;
        /// Entries that threads read without the lock. The last of these frees an entry that was dropped meanwhile.
        struct Pin {
            Entry entry;
            std::size_t readers;
            bool is_dropped;
        };
        std::vector<Pin> pins;
        ByteStoreStatistics counts;
    };
    struct Place {
        Shard& shard;
        std::uint32_t hash;
        /// Of the key alone, for watch_.
        std::uint64_t whole_hash;
    };

    Outcome update_with(std::string_view key, Need need, Decision (*decide)(void*, Item*), void* function);
    void visit_with(std::size_t shard, void (*use)(void*, std::string_view, const Item&), void* function);
    Place place_of(std::string_view key);
    std::optional<Item> find(const Place& place, std::string_view key, Use use);

    // With the shard's lock.
    void drop(Shard& shard, Slot* slot);
    /// Drops a slot whose item was lost, and remembers that.
    void drop_lost(Shard& shard, Slot* slot);
    void free_entry(Shard& shard, Entry entry);
    std::optional<Buffer> read(Shard& shard, std::unique_lock<std::mutex>& lock, const Slot& slot);
    enum class Found : std::uint8_t { item, other_key, flushed };
    Found open(std::string_view key, const Slot& slot, std::uint32_t now, Buffer& record, Item& item) const;
    Outcome put(Place place, Slot* slot, std::string_view key, Put& put, std::uint32_t now);
    [[nodiscard]] static bool is_expired(const Slot& slot, std::uint32_t now) { return slot.expires != 0 && slot.expires <= now; }
    std::size_t sweep_locked(Shard& shard, std::size_t& from, std::size_t places, bool reads, std::uint32_t now);

    void flush_if_due(std::uint32_t now);
    void flush_now();

    soft::heap& heap_;
    const std::size_t max_value_bytes_;
    const std::size_t fast_above_bytes_;
    const std::function<std::uint32_t()> now_;
    const HashSecret secret_;
    Pool pool_;
    soft::key_watch watch_{pool_};
    std::array<Shard, nr_shards> shards_;
    std::atomic<std::uint64_t> next_cas_{1};
    std::atomic<unsigned> generation_{0};
    /// The second of the next flush; 0: none.
    std::atomic<std::uint32_t> flush_at_{0};
    std::mutex flush_mutex_;
    std::mutex sweep_mutex_;
    std::size_t sweep_shard_ = 0;
    std::size_t sweep_from_ = 0;
};

}  // namespace tmm::caches
