// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/heap/pins.hpp"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace soft::detail {

Pins::Value Pins::find(const AtomicWord* entry, Word word) noexcept {
    Value former;
    Part& part = part_of(entry);
    const std::lock_guard guard(part.lock);
    Slot* slot = part.table.find(entry);
    if (slot == nullptr) {
        return nullptr;
    }
    if (!same_place(slot->owner.word, word)) {
        former = take(part, slot);
        return nullptr;
    }
    slot->owner.is_used = true;
    return slot->owner.value;
}

void Pins::add(const AtomicWord* entry, Word word, const Value& value, std::size_t bytes) {
    if (bytes > limit_.load(std::memory_order_relaxed)) {
        return;
    }
    {
        Value former;
        Part& part = part_of(entry);
        const std::lock_guard guard(part.lock);
        // A thread that changes the entry erases the pin afterwards, and waits for this lock.
        if (!same_place(entry->load(std::memory_order_acquire), word)) {
            return;
        }
        if (const Slot* slot = part.table.find(entry)) {
            former = take(part, slot);
        }
        part.table.insert(entry, Pin{value, word, bytes, false});
        bytes_.fetch_add(bytes, std::memory_order_relaxed);
    }
    // The caller holds the value, so this one stays.
    if (!make_room()) {
        erase(entry);
    }
}

void Pins::erase(const AtomicWord* entry) noexcept {
    Value former;
    Part& part = part_of(entry);
    const std::lock_guard guard(part.lock);
    if (const Slot* slot = part.table.find(entry)) {
        former = take(part, slot);
    }
}

void Pins::set_limit(std::size_t bytes) noexcept {
    limit_.store(bytes, std::memory_order_relaxed);
    if (bytes_.load(std::memory_order_relaxed) > bytes) {
        drop(true);
    }
}

void Pins::lock() noexcept {
    for (Part& part : parts_) {
        part.lock.lock();
    }
}

void Pins::unlock() noexcept {
    for (Part& part : parts_) {
        part.lock.unlock();
    }
}

Pins::Value Pins::take(Part& part, const Slot* slot) noexcept {
    bytes_.fetch_sub(slot->owner.bytes, std::memory_order_relaxed);
    Value value = slot->owner.value;
    part.table.erase(slot);
    return value;
}

bool Pins::make_room() noexcept {
    // Else each pin of a program that holds all of the limit would look through all others.
    constexpr int max_steps = 8 * nr_parts;
    int steps = 0;
    while (bytes_.load(std::memory_order_relaxed) > limit_.load(std::memory_order_relaxed)) {
        if (steps++ == max_steps) {
            return false;
        }
        Value former;
        Part& part = parts_[turn_.fetch_add(1, std::memory_order_relaxed) % nr_parts];
        const std::lock_guard guard(part.lock);
        // Only find() lets somebody else hold a value, with this lock.
        if (Slot* slot = part.table.next_slot(part.hand);
            slot != nullptr && !std::exchange(slot->owner.is_used, false) && slot->owner.value.use_count() == 1) {
            former = take(part, slot);
            steps = 0;
        }
    }
    return true;
}

void Pins::drop(bool also_used) noexcept {
    for (Part& part : parts_) {
        std::vector<Value> former;
        const std::lock_guard guard(part.lock);
        try {
            former.reserve(part.table.size());
        } catch (const std::bad_alloc&) {
            return;
        }
        part.table.erase_if([&](const Slot& slot) {
            const Pin& pin = slot.owner;
            if (pin.value.use_count() > 1 || (pin.is_used && !also_used)) {
                return false;
            }
            bytes_.fetch_sub(pin.bytes, std::memory_order_relaxed);
            former.push_back(pin.value);
            return true;
        });
        part.table.for_each([](Slot& slot) { slot.owner.is_used = false; });
    }
}

}  // namespace soft::detail
