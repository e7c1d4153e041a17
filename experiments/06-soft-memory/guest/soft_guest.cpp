// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The programs of guest/scenario, without processor time of their own: all work is waiting.
//
//   soft-guest program NAME OBJECTS COST_US
//     Uses cached objects of 256 KiB by a power law; COST_US is a rebuild. Prints each second: status NAME UPTIME_S HELD_MIB
//     LIMIT_MIB WRONG. After SIGUSR1 it has a child, NAME-child, that works likewise with a tenth of the objects.
//   soft-guest flood CONNECTIONS SECONDS
//     Connects again and again to tmmd's socket, and sends what is no record. Prints: refused N.
//   soft-guest owner FILE FILE_MIB MEMORY_MIB [TIMES]
//     Reads a file each second while its memory grows, in 8 steps. Prints: faults N, which waited for a disk. With TIMES, it
//     prints "ready", does so after each SIGUSR1, so many times, and has given the memory back before it prints the faults.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "../applications/popularity.hpp"
#include "softlib/cache.hpp"

namespace {

using namespace std::chrono_literals;
using tmm::soft_memory::Popularity;

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t object_bytes = 256 << 10;

volatile std::sig_atomic_t forks = 0;

double uptime_s() {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[noreturn]] void work(std::string name, std::uint32_t objects, std::chrono::microseconds cost) {
    soft::cache<std::uint32_t, std::vector<char>> cache("objects", {});
    Popularity popularity(objects, 0.6, 1);
    unsigned wrong = 0;
    for (auto told = std::chrono::steady_clock::now();;) {
        const std::uint32_t number = popularity.draw(0);
        const std::vector<char> object = cache.get_or(number, [&] {
            std::this_thread::sleep_for(cost);
            return std::vector<char>(object_bytes, static_cast<char>(number));
        });
        wrong += object.size() == object_bytes && object.front() == static_cast<char>(number) && object.back() == object.front()
                     ? 0
                     : 1;
        std::this_thread::sleep_for(500us);
        if (forks > 0) {
            forks = 0;
            if (::fork() == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                // It forgets what it inherits: its own objects are few.
                name += "-child";
                popularity = Popularity(objects / 10, 0.6, 2);
            }
        }
        if (const auto now = std::chrono::steady_clock::now(); now - told >= 1s) {
            told = now;
            const soft::heap_statistics told_of = soft::heap::process().statistics();
            std::printf("status %s %.2f %zu %zu %u\n", name.c_str(), uptime_s(), told_of.segment_bytes / mib,
                        told_of.limit_bytes / mib, wrong);
            std::fflush(stdout);
        }
    }
}

int connect_to_tmmd() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, "/run/tmm/soft");
    const int connection = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection >= 0 && ::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return connection;
    ::close(connection);
    return -1;
}

int flood(std::size_t connections, int seconds) {
    const rlimit many{connections + 64, connections + 64};
    ::setrlimit(RLIMIT_NOFILE, &many);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::uint64_t refused = 0;
    std::vector<int> open;
    while (std::chrono::steady_clock::now() < end) {
        const int connection = connect_to_tmmd();
        if (connection < 0) {
            ++refused;
            std::this_thread::sleep_for(1ms);
        } else if (open.size() < connections) {
            open.push_back(connection);
        } else {
            ::close(connection);
        }
        if (!open.empty())
            ::send(open[refused % open.size()], "nonsense", 8, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    std::printf("refused %llu\n", static_cast<unsigned long long>(refused));
    return 0;
}

void take_a_break() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGUSR1);
    ::sigwaitinfo(&signals, nullptr);
}

int owner(const char* path, std::size_t file_mib, std::size_t memory_mib, unsigned times) {
    constexpr std::size_t steps = 8;
    std::vector<char> part(mib, 'o');
    const int file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    // The first owner writes the file.
    for (std::size_t done = static_cast<std::size_t>(::lseek(file, 0, SEEK_END)) / mib; done < file_mib; ++done) {
        if (::write(file, part.data(), part.size()) != static_cast<ssize_t>(part.size())) {
            std::perror(path);
            return 1;
        }
    }
    ::fsync(file);
    // Reads of files are no faults. So map it.
    const auto* map = static_cast<const char*>(::mmap(nullptr, file_mib * mib, PROT_READ, MAP_SHARED, file, 0));
    ::madvise(const_cast<char*>(map), file_mib * mib, MADV_RANDOM);
    unsigned sum = 0;
    const auto read_all = [&] {
        for (std::size_t at = 0; at < file_mib * mib; at += 4096)
            sum += static_cast<unsigned char>(map[at]);
    };
    read_all();
    const auto faults = [] {
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        return usage.ru_majflt;
    };
    const auto grow = [&] {
        const long before = faults();
        auto* memory = static_cast<char*>(
            ::mmap(nullptr, memory_mib * mib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        const std::size_t step_bytes = memory_mib * mib / steps;
        for (std::size_t step = 0; step < steps; ++step) {
            std::memset(memory + step * step_bytes, 1, step_bytes);
            // The map forgets its pages, so that each read is a fault; a major one if the page cache has lost the page.
            ::madvise(const_cast<char*>(map), file_mib * mib, MADV_DONTNEED);
            read_all();
            std::this_thread::sleep_for(1s);
        }
        ::munmap(memory, memory_mib * mib);
        std::printf("faults %ld\nsum %u\n", faults() - before, sum);
        std::fflush(stdout);
    };
    if (times == 0) {
        grow();
        return 0;
    }
    std::puts("ready");
    std::fflush(stdout);
    for (; times > 0; --times) {
        take_a_break();
        grow();
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    const auto number = [&](int i) { return std::strtoul(argv[i], nullptr, 10); };
    if (what == "program" && argc == 5) {
        std::signal(SIGUSR1, [](int) { forks = 1; });
        work(argv[2], static_cast<std::uint32_t>(number(3)), std::chrono::microseconds(number(4)));
    }
    if (what == "flood" && argc == 4)
        return flood(number(2), static_cast<int>(number(3)));
    if (what == "owner" && (argc == 5 || argc == 6)) {
        sigset_t signals;
        ::sigemptyset(&signals);
        ::sigaddset(&signals, SIGUSR1);
        ::sigprocmask(SIG_BLOCK, &signals, nullptr);
        return owner(argv[2], number(3), number(4), argc == 6 ? static_cast<unsigned>(number(5)) : 0);
    }
    std::fputs(
        "usage: soft-guest program NAME OBJECTS COST_US | flood CONNECTIONS SECONDS | owner FILE FILE_MIB MEMORY_MIB [TIMES]\n",
        stderr);
    return 2;
}
