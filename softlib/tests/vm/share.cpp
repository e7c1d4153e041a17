// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-share machine|fixed FOLDER FILE_MB GROWN_MB: another program keeps reading its files, FILE_MB of them and GROWN_MB in
// the end, while this one puts as much into soft memory as it may. Prints how much of the files stayed in memory, in per mille.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/vm/programs.hpp"

namespace soft::pressure {
namespace {

using namespace std::chrono_literals;
using Block = std::array<std::byte, 60'000>;

constexpr std::size_t page = 4096;

class File {
public:
    File(const std::string& path, std::size_t bytes)
        : bytes_(bytes), file_(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600)) {
        const std::vector<char> part(mebibyte, 'f');
        for (std::size_t done = 0; done < bytes; done += part.size()) {
            if (file_ < 0 || write(file_, part.data(), part.size()) != static_cast<ssize_t>(part.size())) {
                throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
            }
        }
        fsync(file_);
        map_ = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_, 0);
    }
    void read_all() const {
        std::vector<char> part(mebibyte);
        for (std::size_t at = 0; at < bytes_; at += part.size()) {
            if (pread(file_, part.data(), part.size(), static_cast<off_t>(at)) <= 0) {
                throw std::runtime_error("cannot read");
            }
        }
    }
    [[nodiscard]] std::size_t resident_bytes() const {
        std::vector<unsigned char> there(bytes_ / page);
        if (mincore(map_, bytes_, there.data()) != 0) {
            throw std::runtime_error("mincore");
        }
        return static_cast<std::size_t>(
                   std::count_if(there.begin(), there.end(), [](unsigned char one) { return (one & 1) != 0; })) *
               page;
    }

private:
    std::size_t bytes_;
    int file_;
    void* map_ = MAP_FAILED;
};

/// Reads its first `order` files, again and again for a second. Answers how much of them, in per mille, was there at the worst
/// time.
std::uint64_t keep_reading(const std::vector<File>& files, std::size_t file_bytes, std::uint64_t nr_files) {
    const auto end = std::chrono::steady_clock::now() + 1s;
    std::uint64_t worst = 1000;
    do {
        std::size_t there = 0;
        for (std::size_t i = 0; i < nr_files; ++i) {
            there += files[i].resident_bytes();
        }
        worst = std::min<std::uint64_t>(worst, there * 1000 / (file_bytes * nr_files));
        for (std::size_t i = 0; i < nr_files; ++i) {
            files[i].read_all();
        }
        std::this_thread::sleep_for(100ms);
    } while (std::chrono::steady_clock::now() < end);
    return worst;
}

/// As a program that caches whatever it comes across.
class Greedy {
public:
    explicit Greedy(Heap& heap) : pool_(heap, "blocks", [] { return Block{}; }) {}
    void go_on_until_answered(Other& other, std::uint64_t order, std::uint64_t& answer) {
        other.order(order);
        std::thread waiter([&] {
            answer = other.answer();
            done_ = true;
        });
        while (!done_) {
            for (int i = 0; i < 50; ++i) {
                objects_.push_back(pool_.make(Block{}));
            }
            std::this_thread::sleep_for(20ms);
        }
        waiter.join();
        done_ = false;
    }

private:
    pool<Block> pool_;
    std::vector<unique_ptr<Block>> objects_;
    std::atomic<bool> done_{false};
};

int share(const std::string& source, const std::string& folder, std::size_t file_bytes, std::size_t grown_bytes) {
    constexpr std::size_t files_at_first = 4;
    const std::size_t one = file_bytes / files_at_first / mebibyte * mebibyte;
    const std::size_t nr_files = grown_bytes / one;
    Other reader([&, files = std::vector<File>()](std::uint64_t order) mutable {
        while (files.size() < order) {
            files.emplace_back(folder + "/file" + std::to_string(files.size()), one);
        }
        return keep_reading(files, one, order);
    });
    reader.order(files_at_first);
    say("warm", reader.answer());

    Heap heap({.limit_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page});
    if (source == "machine") {
        heap.follow(std::make_unique<MachineBudget>());
    }
    Greedy greedy(heap);
    std::uint64_t worst = 1000;
    std::size_t most = 0;
    for (int second = 0; second < 25; ++second) {
        std::uint64_t there = 0;
        greedy.go_on_until_answered(reader, files_at_first, there);
        worst = std::min(worst, there);
        most = std::max(most, heap.statistics().segment_bytes);
    }
    say("worst", worst);
    say("soft_bytes", most);

    // The other program wants more, little by little. At the end it has what it wants.
    std::uint64_t there = 0;
    for (std::size_t files = files_at_first; files <= nr_files; ++files) {
        greedy.go_on_until_answered(reader, files, there);
    }
    std::uint64_t last = 0;
    for (int second = 0; second < 10 && last < 990; ++second) {
        greedy.go_on_until_answered(reader, nr_files, last);
    }
    say("grown", last);
    say("soft_bytes_then", heap.statistics().segment_bytes);
    say("oom_kills", vmstat("oom_kill"));
    return 0;
}

}  // namespace
}  // namespace soft::pressure

int main(int argc, char** argv) {
    try {
        if (argc != 5) {
            std::fputs("Usage: softlib-share machine|fixed FOLDER FILE_MB GROWN_MB\n", stderr);
            return 2;
        }
        return soft::pressure::share(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10) * soft::pressure::mebibyte,
                                     std::strtoul(argv[4], nullptr, 10) * soft::pressure::mebibyte);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-share: %s\n", error.what());
        return 2;
    }
}
