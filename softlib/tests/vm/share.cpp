// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-share machine|fixed FOLDER FILE_MB GROWN_MB: another program has written files of FILE_MB and idles while this one puts
// as much into soft memory as it may. Then the other one goes on and reads more and more of them, GROWN_MB in the end. Prints how
// much of its files was in memory, in per mille.
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

/// The other program's work on its first files, for a second.
struct Order {
    std::uint64_t files = 0;
    bool reads = false;
    [[nodiscard]] std::uint64_t number() const { return files * 2 + (reads ? 1 : 0); }
    static Order of(std::uint64_t number) { return {number / 2, number % 2 == 1}; }
};

/// Answers with the smallest share of the files that was in memory, in per mille.
std::uint64_t follow(const std::vector<File>& files, std::size_t file_bytes, const Order& order) {
    const std::size_t all = file_bytes * order.files;
    const auto end = std::chrono::steady_clock::now() + 1s;
    std::uint64_t worst = 1000;
    do {
        std::size_t there = 0;
        for (std::size_t i = 0; i < order.files; ++i) {
            there += files[i].resident_bytes();
        }
        worst = std::min<std::uint64_t>(worst, there * 1000 / std::max<std::size_t>(all, 1));
        for (std::size_t i = 0; i < order.files && order.reads; ++i) {
            files[i].read_all();
        }
        std::this_thread::sleep_for(100ms);
    } while (std::chrono::steady_clock::now() < end);
    return worst;
}

/// Fills soft memory like a program that caches everything it meets.
class Greedy {
public:
    explicit Greedy(soft::heap& heap) : pool_(heap, "blocks", [] { return Block{}; }) {}
    std::uint64_t go_on_until_answered(Other& other, const Order& order) {
        std::uint64_t answer = 0;
        other.order(order.number());
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
        return answer;
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
    Other reader([&, files = std::vector<File>()](std::uint64_t number) mutable {
        const Order order = Order::of(number);
        while (files.size() < order.files) {
            files.emplace_back(folder + "/file" + std::to_string(files.size()), one);
        }
        return follow(files, one, order);
    });
    reader.order(Order{files_at_first, false}.number());
    say("warm", reader.answer());

    soft::heap heap({.limit_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page});
    if (source == "machine") {
        heap.follow(std::make_unique<machine_budget>());
    }
    Greedy greedy(heap);
    std::uint64_t worst = 1000;
    std::size_t most = 0;
    for (int second = 0; second < 25; ++second) {
        worst = std::min(worst, greedy.go_on_until_answered(reader, {files_at_first, false}));
        most = std::max(most, heap.statistics().segment_bytes);
    }
    say("worst", worst);
    say("soft_bytes", most);

    // The other program grows little by little. At the end it has all its memory.
    for (std::size_t files = files_at_first; files <= nr_files; ++files) {
        greedy.go_on_until_answered(reader, {files, true});
    }
    std::uint64_t last = 0;
    for (int second = 0; second < 10 && last < 990; ++second) {
        last = greedy.go_on_until_answered(reader, {nr_files, true});
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
