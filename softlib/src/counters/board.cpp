// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/counters/board.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <new>

namespace soft::detail {
namespace {

// Private: a child of fork() counts on its own. The name stays when the descriptor is closed.
void* map_named(std::size_t bytes) noexcept {
    const int file = memfd_create(Board::mapping_name, MFD_CLOEXEC);
    if (file < 0) {
        return MAP_FAILED;
    }
    void* at = MAP_FAILED;
    if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
        at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    }
    close(file);
    return at;
}

// Never unmapped: static objects may be soft. nullptr: softlib-top will not see the counters.
Board* board() noexcept {
    static Board* const only = [] {
        void* at = map_named(sizeof(Board));
        return at != MAP_FAILED ? ::new (at) Board : nullptr;
    }();
    return only;
}

// Static objects may need it until the process ends: its destructor does nothing.
constinit std::mutex slots_mutex;

bool is_on_board(const Slot* slot) noexcept {
    const Board* all = board();
    return all != nullptr && slot >= all->slots.data() && slot < all->slots.data() + all->slots.size();
}

Slot* free_slot() noexcept {
    Board* all = board();
    if (all == nullptr) {
        return nullptr;
    }
    const auto at = std::find_if(all->slots.begin(), all->slots.end(),
                                 [](const Slot& slot) { return slot.kind.load(std::memory_order_relaxed) == Slot::Kind::free; });
    return at != all->slots.end() ? &*at : nullptr;
}

}  // namespace

OwnSlot take_slot(Slot::Kind kind, std::uint32_t heap_id, std::string_view name) {
    const std::lock_guard guard(slots_mutex);
    Slot* slot = free_slot();
    slot = slot != nullptr ? ::new (static_cast<void*>(slot)) Slot : new Slot;
    slot->heap_id = heap_id;
    name.copy(slot->name.data(), slot->name.size() - 1);
    slot->kind.store(kind, std::memory_order_release);
    return OwnSlot(slot);
}

void GiveBack::operator()(Slot* slot) const noexcept {
    const std::lock_guard guard(slots_mutex);
    if (is_on_board(slot)) {
        slot->kind.store(Slot::Kind::free, std::memory_order_relaxed);
    } else {
        delete slot;
    }
}

void lock_board() {
    slots_mutex.lock();
}

void unlock_board() {
    slots_mutex.unlock();
}

}  // namespace soft::detail
