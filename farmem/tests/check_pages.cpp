// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// check-pages MEBIBYTES THREADS SECONDS [fork] [map] [fill] [hot]: writes to random pages of its memory and reads others, from
// several threads, and looks at each word that it reads. fork: children read all of it now and then. map: parts are dropped,
// unmapped and moved meanwhile. fill: all pages are written to first. hot: a further thread writes to each byte of a few pages
// all the time, so that they leave between two writes. Exits with 1 at the first wrong word.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t words = page_bytes / sizeof(std::uint64_t);
constexpr std::size_t part_pages = 1024;  // a thread has its own parts

// Each word of a page depends on the page's number, its generation and the word's place.
std::uint64_t word(std::uint64_t page, std::uint64_t generation, std::size_t at) {
    return generation == 0 ? 0 : (page * 0x9e3779b97f4a7c15U ^ generation * 0xc2b2ae3d27d4eb4fU) + at;
}

struct Part {
    std::uint64_t* memory = nullptr;
    std::vector<std::uint32_t> generations;  // of its pages; 0: zeros
    std::uint64_t first = 0;
};

std::atomic<bool> has_failed = false;

std::uint64_t* map_part() {
    void* const memory =
        ::mmap(nullptr, part_pages * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        std::abort();
    return static_cast<std::uint64_t*>(memory);
}

bool check(const Part& part, std::size_t page) {
    const std::uint64_t* const memory = part.memory + page * words;
    for (std::size_t at = 0; at < words; ++at) {
        if (memory[at] != word(part.first + page, part.generations[page], at)) {
            std::fprintf(stderr, "pid %d page %zu of part %zu, word %zu: %#zx instead of %#zx\n", ::getpid(), page,
                         part.first / part_pages, at, static_cast<std::size_t>(memory[at]),
                         static_cast<std::size_t>(word(part.first + page, part.generations[page], at)));
            has_failed = true;
            return false;
        }
    }
    return true;
}

void write(Part& part, std::size_t page) {
    ++part.generations[page];
    for (std::size_t at = 0; at < words; ++at)
        part.memory[page * words + at] = word(part.first + page, part.generations[page], at);
}

void change_mapping(Part& part, std::mt19937_64& random) {
    const std::size_t first = random() % part_pages;
    const std::size_t count = std::min<std::size_t>(1 + random() % 64, part_pages - first);
    char* const at = reinterpret_cast<char*>(part.memory) + first * page_bytes;
    switch (random() % 3) {
        case 0:
            ::madvise(at, count * page_bytes, MADV_DONTNEED);
            break;
        case 1:
            ::munmap(at, count * page_bytes);
            if (::mmap(at, count * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
                       -1, 0) != at)
                std::abort();
            break;
        default: {
            // All of it goes elsewhere, and keeps its content.
            std::uint64_t* const place = map_part();
            if (::mremap(part.memory, part_pages * page_bytes, part_pages * page_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) ==
                MAP_FAILED) {
                // It is several mappings by now.
                ::munmap(place, part_pages * page_bytes);
                return;
            }
            part.memory = place;
            return;
        }
    }
    std::fill_n(part.generations.begin() + static_cast<std::ptrdiff_t>(first), count, 0);
}

// Of the first pages of a part, which only this thread knows. A write that got lost shows a round later.
void heat(const Part& part, std::chrono::steady_clock::time_point end) {
    constexpr std::size_t nr_bytes = 2 * page_bytes;
    volatile auto* const bytes = reinterpret_cast<volatile std::uint8_t*>(part.memory);
    for (std::uint8_t round = 0; !has_failed && std::chrono::steady_clock::now() < end; ++round) {
        for (std::size_t at = 0; at < nr_bytes; ++at) {
            const std::uint8_t found = bytes[at];
            if (found != round) {
                std::fprintf(stderr, "hot byte %zu: %d instead of %d\n", at, found, round);
                has_failed = true;
                return;
            }
            bytes[at] = static_cast<std::uint8_t>(round + 1);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4)
        return 2;
    const std::size_t nr_parts = std::strtoul(argv[1], nullptr, 10) * 1024 * 1024 / (part_pages * page_bytes);
    const std::size_t nr_threads = std::strtoul(argv[2], nullptr, 10);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::strtoul(argv[3], nullptr, 10));
    bool forks = false;
    bool maps = false;
    bool fills = false;
    bool heats = false;
    for (int i = 4; i < argc; ++i) {
        forks = forks || std::string_view(argv[i]) == "fork";
        maps = maps || std::string_view(argv[i]) == "map";
        fills = fills || std::string_view(argv[i]) == "fill";
        heats = heats || std::string_view(argv[i]) == "hot";
    }
    std::vector<Part> parts(nr_parts);
    for (std::size_t i = 0; i < nr_parts; ++i)
        parts[i] = {map_part(), std::vector<std::uint32_t>(part_pages), i * part_pages};
    for (Part& part : parts) {
        for (std::size_t page = 0; fills && page < part_pages; ++page)
            write(part, page);
    }
    std::vector<std::mutex> locks(nr_parts);
    std::atomic<std::uint64_t> nr_checked = 0;
    const auto work = [&](std::size_t number) {
        std::mt19937_64 random(number + 1);
        while (!has_failed && std::chrono::steady_clock::now() < end) {
            const std::size_t chosen = random() % nr_parts;
            const std::lock_guard guard(locks[chosen]);
            Part& part = parts[chosen];
            // Half go through a run of pages, half jump.
            std::size_t page = random() % part_pages;
            const bool is_run = random() % 2 == 0;
            for (int n = 0; n < 64 && !has_failed; ++n) {
                page = is_run ? (page + 1) % part_pages : random() % part_pages;
                check(part, page);
                ++nr_checked;
                if (random() % 2 == 0)
                    write(part, page);
            }
            if (maps && random() % 64 == 0)
                change_mapping(part, random);
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t n = 0; n < nr_threads; ++n)
        threads.emplace_back(work, n);
    const Part hot{map_part(), {}, 0};
    if (heats)
        threads.emplace_back([&] { heat(hot, end); });
    std::mt19937_64 random(4711);
    int nr_children = 0;
    while (forks && !has_failed && std::chrono::steady_clock::now() < end) {
        // The child's parts and what they should have are of one moment.
        std::vector<std::unique_lock<std::mutex>> all;
        for (std::mutex& lock : locks)
            all.emplace_back(lock);
        const pid_t child = ::fork();
        if (child == 0) {
            for (std::size_t i = 0; i < nr_parts; i += 1 + random() % 3) {
                for (std::size_t page = 0; page < part_pages; ++page) {
                    if (!check(parts[i], page))
                        ::_exit(1);
                    if (page % 3 == 0)
                        write(parts[i], page);
                }
            }
            ::_exit(0);
        }
        all.clear();
        int status = 0;
        if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) {
            std::fprintf(stderr, "a child ended with %#x\n", status);
            has_failed = true;
        }
        ++nr_children;
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const Part& part : parts) {
        for (std::size_t page = 0; page < part_pages && !has_failed; ++page)
            check(part, page);
    }
    std::printf("%llu pages checked, %d children\n", static_cast<unsigned long long>(nr_checked.load()), nr_children);
    return has_failed ? 1 : 0;
}
