// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A process's counters, in one mapping with a name in /proc/PID/maps. softlib-top finds and reads them there (process_vm_readv).
// They cost nobody else anything: no file, no descriptor, no thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace soft::detail {

using Counter = std::atomic<std::uint64_t>;

/// The counters of a heap or a pool, and its name. Other processes read it: a change of the layout changes `version`.
struct alignas(64) Slot {
    enum class Kind : std::uint32_t { free, heap, pool };

    struct OfHeap {
        /// softlib-top looks for this range in /proc/PID/smaps.
        Counter base_address{0};
        Counter reserved_bytes{0};
        Counter limit_bytes{0};
        Counter segment_bytes{0};
        /// As of the last count.
        Counter live_bytes{0};
        Counter offered_bytes{0};
        Counter evacuated_segments{0};
        Counter moved_objects{0};
        Counter evicted_objects{0};
    };
    struct OfPool {
        Counter objects{0};
        Counter hits{0};
        Counter misses{0};
        Counter lost{0};
        Counter rebuilds{0};
        Counter failed_rebuilds{0};
        Counter rebuild_ns{0};
        Counter max_rebuild_ns{0};
        Counter cold_rebuilds{0};
        Counter cold_rebuild_ns{0};
        Counter validated{0};
        Counter mismatches{0};
        Counter pinned_bytes{0};
    };

    std::atomic<Kind> kind{Kind::free};
    /// The heap's number; in a pool, that of its heap.
    std::uint32_t heap_id = 0;
    /// Ends with 0; longer names are cut.
    std::array<char, 56> name{};
    OfHeap of_heap;
    OfPool of_pool;
};

struct Board {
    static constexpr std::uint64_t right_magic = 0x736f'6674'6c69'6231;  // "softlib1"
    static constexpr std::uint32_t version = 3;
    static constexpr std::size_t max_slots = 256;
    static constexpr const char* mapping_name = "softlib-board";

    std::uint64_t magic = right_magic;
    std::uint32_t layout = version;
    std::uint32_t slot_bytes = sizeof(Slot);
    std::array<Slot, max_slots> slots;
};

struct GiveBack {
    void operator()(Slot* slot) const noexcept;
};
using OwnSlot = std::unique_ptr<Slot, GiveBack>;

/// Takes a slot of the board. If none is left, makes one that softlib-top does not see. Throws std::bad_alloc. Thread-safe.
OwnSlot take_slot(Slot::Kind kind, std::uint32_t heap_id, std::string_view name);
/// For the handlers of fork().
void lock_board();
void unlock_board();

}  // namespace soft::detail
