// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Values of a cache that are shared instead of copied: the last ones that programs pinned, in ordinary memory.
//
// Not thread-safe; each part of a cache has its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "softlib/detail/entry.hpp"
#include "softlib/detail/flat_table.hpp"

namespace soft::detail {

template <class Value>
class Pins {
public:
    using Shared = std::shared_ptr<const Value>;

    /// The value of the object if it is pinned, and the object's entry still names the copy that it was read from.
    Shared find(const AtomicWord* entry, Word word) {
        Slot* slot = table_.find(entry);
        if (slot == nullptr || !same_place(slot->owner.word, word)) {
            return nullptr;
        }
        slot->owner.is_used = true;
        return slot->owner.value;
    }
    /// Adds the value of the copy that `word` names. At `limit` bytes, values go that were not used lately (the clock algorithm);
    /// a larger one is not added. Throws std::bad_alloc.
    void add(const AtomicWord* entry, Word word, Shared value, std::size_t bytes, std::size_t limit) {
        erase(entry);
        if (bytes > limit) {
            return;
        }
        while (bytes_ + bytes > limit) {
            Slot* slot = table_.next_slot(hand_);
            if (!std::exchange(slot->owner.is_used, false)) {
                remove(slot);
            }
        }
        table_.insert(entry, Pin{std::move(value), word, bytes, false});
        bytes_ += bytes;
    }
    /// The object has another value, or has gone.
    void erase(const AtomicWord* entry) {
        if (Slot* slot = table_.find(entry)) {
            remove(slot);
        }
    }
    void clear() noexcept {
        table_.clear();
        bytes_ = 0;
    }
    /// Bytes of all values, as they are stored.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    struct Pin {
        explicit operator bool() const noexcept { return value != nullptr; }

        Shared value;
        Word word = 0;
        std::size_t bytes = 0;
        /// Found again since it was added or the hand of the clock passed.
        bool is_used = false;
    };
    using Table = FlatTable<const AtomicWord*, Pin, std::hash<const AtomicWord*>, std::equal_to<const AtomicWord*>>;
    using Slot = typename Table::Slot;

    void remove(Slot* slot) {
        bytes_ -= slot->owner.bytes;
        table_.erase(slot);
    }

    Table table_{{}, {}};
    std::size_t hand_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace soft::detail
