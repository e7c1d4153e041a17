// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>

#include "src/segments/os.hpp"

namespace soft::detail {

/// Linux whose calls fail on demand and are counted.
class FakeOs : public Os {
public:
    std::byte* reserve(std::size_t bytes) noexcept override {
        reserved_at = bytes > largest_reservation ? nullptr : counted(linux_os().reserve(bytes), bytes);
        return reserved_at;
    }
    void unreserve(std::byte* at, std::size_t bytes) noexcept override {
        mapped -= bytes;
        linux_os().unreserve(at, bytes);
    }
    bool commit(std::byte* at, std::size_t bytes) noexcept override { return !commit_fails && linux_os().commit(at, bytes); }
    void prepare(std::byte* at, std::size_t bytes) noexcept override {
        if (small_pages) {
            madvise(at, bytes, MADV_NOHUGEPAGE);
        } else {
            linux_os().prepare(at, bytes);
        }
    }
    std::byte* table(std::size_t bytes, std::size_t alignment) noexcept override {
        return table_fails ? nullptr : counted(linux_os().table(bytes, alignment), bytes);
    }
    void free_table(std::byte* at, std::size_t bytes) noexcept override {
        mapped -= bytes;
        linux_os().free_table(at, bytes);
    }
    bool offer(std::byte* at, std::size_t bytes) noexcept override {
        if (offer_fails) {
            return false;
        }
        offered += bytes;
        return linux_os().offer(at, bytes);
    }
    bool discard(std::byte* at, std::size_t bytes) noexcept override {
        if (discard_fails) {
            return false;
        }
        discarded += bytes;
        return linux_os().discard(at, bytes);
    }
    /// Uses MADV_DONTNEED: readers see the same, whether or not the machine has swap.
    bool lose(std::byte* at, std::size_t bytes) noexcept override { return linux_os().discard(at, bytes); }
    std::size_t resident(const std::byte* at, std::size_t bytes) noexcept override { return linux_os().resident(at, bytes); }

    std::size_t largest_reservation = SIZE_MAX;
    /// The last reservation.
    std::byte* reserved_at = nullptr;
    /// For tests that touch a page here and there very often.
    bool small_pages = false;
    std::atomic<bool> commit_fails{false};
    std::atomic<bool> table_fails{false};
    std::atomic<bool> offer_fails{false};
    std::atomic<bool> discard_fails{false};
    /// Bytes that are mapped now, and bytes offered and discarded in all.
    std::atomic<std::size_t> mapped{0};
    std::atomic<std::size_t> offered{0};
    std::atomic<std::size_t> discarded{0};

private:
    std::byte* counted(std::byte* at, std::size_t bytes) {
        mapped += at != nullptr ? bytes : 0;
        return at;
    }
};

}  // namespace soft::detail
