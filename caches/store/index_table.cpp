// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/index_table.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace tmm::caches {

Slot* IndexTable::insert(const Slot& slot) {
    // Seven of eight places are taken at most.
    if ((size_ + 1) * 8 > capacity_ * 7) {
        rebuild(std::max(smallest, capacity_ + capacity_ / 4));
    }
    for (;;) {
        Slot* place = at_or_behind(static_cast<std::uint32_t>(slot.hash));
        Slot* free = place;
        while (free->entry_eighths != 0) {
            ++free;
        }
        if (free + 1 < slots_.get() + end()) {
            std::move_backward(place, free, free + 1);
            *place = slot;
            ++size_;
            return place;
        }
        rebuild(capacity_ + capacity_ / 4);
    }
}

void IndexTable::erase(Slot* slot) {
    Slot* next = slot + 1;
    while (next->entry_eighths != 0 && home(next->hash) < static_cast<std::size_t>(next - slots_.get())) {
        *(next - 1) = *next;
        ++next;
    }
    *(next - 1) = Slot{};
    --size_;
}

void IndexTable::clear() {
    slots_.reset();
    capacity_ = 0;
    size_ = 0;
}

void IndexTable::rebuild(std::size_t capacity) {
    for (;; capacity += capacity / 4) {
        auto slots = std::make_unique<Slot[]>(slots_of(capacity));
        const std::size_t last = slots_of(capacity) - 1;
        std::size_t at = 0;
        bool fits = true;
        for (std::size_t from = 0; fits && from < end(); ++from) {
            if (slots_[from].entry_eighths != 0) {
                at = std::max<std::size_t>(at, (slots_[from].hash * capacity) >> index_hash_bits);
                fits = at < last;
                if (fits) {
                    slots[at++] = slots_[from];
                }
            }
        }
        if (fits) {
            slots_ = std::move(slots);
            capacity_ = capacity;
            return;
        }
    }
}

void IndexTable::give_back() noexcept {
    if (size_ == 0) {
        clear();
    } else if (size_ * 2 < capacity_ && capacity_ > smallest) {
        try {
            rebuild(std::max(smallest, size_ + size_ / 4));
        } catch (const std::bad_alloc&) {
            // It stays as large as it is.
        }
    }
}

}  // namespace tmm::caches
