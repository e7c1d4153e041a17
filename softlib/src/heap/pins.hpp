// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Values of a pool's objects that are shared instead of copied: the last ones that programs pinned, in ordinary memory.
//
// Thread-safe. Destroys values without a lock held: that may run code of the program.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "softlib/detail/entry.hpp"
#include "softlib/detail/flat_table.hpp"
#include "softlib/detail/place.hpp"
#include "src/base/spin_lock.hpp"
#include "src/counters/board.hpp"

namespace soft::detail {

class Pins {
public:
    using Value = std::shared_ptr<const void>;

    /// Counts the bytes of all values, as they are stored, in `bytes`.
    explicit Pins(Counter& bytes) noexcept : bytes_(bytes) {}

    /// The value of the object if it is pinned, and was read from the copy that `word` names.
    Value find(const AtomicWord* entry, Word word) noexcept;
    /// Adds the value that the caller has read from the copy that `word` names, unless the entry names another one now. At the
    /// limit, values go that nobody holds and that were not found lately (the clock algorithm). If that does not make room, the
    /// new one is not added. Throws std::bad_alloc.
    void add(const AtomicWord* entry, Word word, const Value& value, std::size_t bytes);
    /// The object has another value, or has gone.
    void erase(const AtomicWord* entry) noexcept;
    /// Memory is wanted back: drops the values that nobody holds, and that were not found since this was called last.
    void age() noexcept { drop(false); }
    /// Bytes of all values together. If there are more, drops all that nobody holds.
    void set_limit(std::size_t bytes) noexcept;

    /// For the handlers of fork().
    void lock() noexcept;
    void unlock() noexcept;

private:
    struct Pin {
        explicit operator bool() const noexcept { return value != nullptr; }

        Value value;
        Word word = 0;
        std::size_t bytes = 0;
        /// Found since it was added or the hand of the clock passed.
        bool is_used = false;
    };
    using Table = FlatTable<const AtomicWord*, Pin, std::hash<const AtomicWord*>, std::equal_to<const AtomicWord*>>;
    using Slot = Table::Slot;
    // Aligned: threads that use different parts do not contend for cache lines.
    struct alignas(64) Part {
        SpinLock lock;
        Table table{{}, {}};
        /// The hand of the clock: the index of a slot.
        std::size_t hand = 0;
    };
    static constexpr std::size_t nr_parts = 16;

    Part& part_of(const AtomicWord* entry) noexcept { return parts_[Chunk::slot_of(entry) % nr_parts]; }
    /// With the part's lock held. The caller destroys the value afterwards.
    Value take(Part& part, const Slot* slot) noexcept;
    /// Moves the hand of one part after the other, until the limit holds. Returns false if too few values may go.
    bool make_room() noexcept;
    void drop(bool also_used) noexcept;

    std::array<Part, nr_parts> parts_;
    /// The part whose hand moves next.
    std::atomic<std::size_t> turn_{0};
    std::atomic<std::size_t> limit_{std::size_t{16} << 20};
    Counter& bytes_;
};

}  // namespace soft::detail
