// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "files/file_state.hpp"

namespace soft::files {

/// Files that this process may be writing to. Keeps a count for each of many groups of files, so that it never allocates and
/// never forgets. A file may be barred because of another one of its group. Thread-safe.
class WriteBars {
public:
    void raise(const FileId& id) noexcept { count_of(id).fetch_add(1); }
    /// Undoes one raise().
    void lift(const FileId& id) noexcept { count_of(id).fetch_sub(1); }
    [[nodiscard]] bool is_barred(const FileId& id) noexcept { return count_of(id).load() != 0; }

private:
    static constexpr std::size_t groups = 65536;
    std::atomic<std::uint32_t>& count_of(const FileId& id) noexcept { return counts_[hash_of(id) % groups]; }
    std::array<std::atomic<std::uint32_t>, groups> counts_{};
};

/// The process's descriptors, as far as known. They may be out of date, because some calls that close and open files go unseen;
/// each use asks the kernel. Thread-safe; does not allocate.
class Descriptors {
public:
    enum class Use : std::uint8_t { none, reader, writer };
    struct Known {
        Use use = Use::none;
        FileId id;
    };

    [[nodiscard]] Known look_up(int fd) const noexcept {
        if (!has_slot(fd)) {
            return {};
        }
        const Slot& slot = slots_[static_cast<std::size_t>(fd)];
        return {slot.use.load(std::memory_order_acquire),
                {slot.device.load(std::memory_order_relaxed), slot.inode.load(std::memory_order_relaxed)}};
    }
    [[nodiscard]] Use use_of(int fd) const noexcept {
        return has_slot(fd) ? slots_[static_cast<std::size_t>(fd)].use.load(std::memory_order_relaxed) : Use::none;
    }
    /// Remembers a descriptor, and bars its file as long as it is a writer's. Descriptors with high numbers are not remembered,
    /// so a file written through one is barred for good.
    void set(int fd, const Known& known) noexcept {
        if (known.use == Use::writer) {
            bars_.raise(known.id);
        }
        clear(fd);
        if (has_slot(fd)) {
            Slot& slot = slots_[static_cast<std::size_t>(fd)];
            slot.device.store(known.id.device, std::memory_order_relaxed);
            slot.inode.store(known.id.inode, std::memory_order_relaxed);
            slot.use.store(known.use, std::memory_order_release);
        }
    }
    void clear(int fd) noexcept {
        if (!has_slot(fd)) {
            return;
        }
        Slot& slot = slots_[static_cast<std::size_t>(fd)];
        const FileId id = look_up(fd).id;
        if (slot.use.exchange(Use::none, std::memory_order_acq_rel) == Use::writer) {
            bars_.lift(id);
        }
    }
    [[nodiscard]] WriteBars& bars() noexcept { return bars_; }

private:
    struct Slot {
        std::atomic<std::uint64_t> device;
        std::atomic<std::uint64_t> inode;
        std::atomic<Use> use;
    };
    static constexpr int slots = 65536;
    static bool has_slot(int fd) noexcept { return fd >= 0 && fd < slots; }

    std::array<Slot, slots> slots_{};
    WriteBars bars_;
};

}  // namespace soft::files
