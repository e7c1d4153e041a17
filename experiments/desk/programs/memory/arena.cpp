// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "arena.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <utility>

namespace tmm::desk {

namespace {
constexpr std::size_t words_per_page = page_bytes / sizeof(std::uint64_t);
}

Result<Arena> Arena::create(PageIndex nr_pages, std::uint64_t seed, unsigned compressible) {
    const std::size_t size_bytes = std::size_t{nr_pages} * page_bytes;
    void* memory = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return Error::from_errno(errno, "cannot allocate " + std::to_string(size_bytes >> 20) + " MB");
    ::madvise(memory, size_bytes, MADV_NOHUGEPAGE);  // Fails only on kernels without huge pages.

    Arena arena(static_cast<std::uint64_t*>(memory), nr_pages);
    std::uint64_t random = random_state_of_seed(seed);
    const std::size_t random_words = words_per_page / compressible;
    for (std::size_t page = 0; page < nr_pages; ++page) {
        for (std::size_t i = 0; i < random_words; ++i) {
            random = next_random_state(random);
            arena.words_[page * words_per_page + i] = random_number(random);
        }
    }
    return arena;
}

Arena::Arena(Arena&& other) noexcept : words_(std::exchange(other.words_, nullptr)), nr_pages_(other.nr_pages_) {}

Arena::~Arena() {
    if (words_)
        ::munmap(words_, std::size_t{nr_pages_} * page_bytes);
}

std::uint64_t Arena::touch(std::span<const PageIndex> batch, unsigned write_every) {
    std::uint64_t sum = 0;
    unsigned since_write = 0;
    for (const PageIndex page : batch) {
        // Volatile: a touch is the purpose, and must not be optimized away.
        volatile std::uint64_t* word = words_ + page * words_per_page;
        sum += *word;
        if (write_every != 0 && ++since_write == write_every) {
            *word = sum;
            since_write = 0;
        }
    }
    return sum;
}

std::span<const std::byte> Arena::bytes() const {
    return std::as_bytes(std::span(words_, nr_pages_ * words_per_page));
}

}  // namespace tmm::desk
