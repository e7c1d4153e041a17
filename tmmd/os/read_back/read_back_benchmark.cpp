// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Measures what reading back is worth to an owner who returns. A program of the owner loses all its memory to swap. Then it
// uses random pages of it, a hundred or so at a time, and rests between, as programs do that wait for people. It needs root,
// cgroup v2 and swap:
//   experiments/vm/vm run --backing hdd --tools build/tmmd/os -- read-back-benchmark with
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/root_dir.hpp"
#include "base/units.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/read_back/swap_reader.hpp"

namespace tmm::os {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

const std::string cgroup = "sys/fs/cgroup/owner";

struct Plan {
    std::uint64_t megabytes = 64;
    std::size_t pages_at_once = 128;
    std::chrono::milliseconds rest{300};
};

[[noreturn]] void fail(const std::string& problem) {
    std::fprintf(stderr, "read-back-benchmark: %s\n", problem.c_str());
    std::exit(EXIT_FAILURE);
}

void check(const Result<void>& done) {
    if (!done)
        fail(done.error().message());
}

std::uint64_t swapped_bytes(const RootDir& root) {
    const auto text = root.read_file(cgroup + "/memory.swap.current");
    const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
    return bytes ? *bytes : 0;
}

std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));  // NOLINT(cert-msc51-cpp): every run is the same
    return order;
}

long major_faults() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_majflt;
}

// The owner's program: fills its memory, says so, and waits until it is the owner's turn.
void be_owner(const RootDir& root, const Plan& plan, int ready, int go) {
    check(root.write_file(cgroup + "/cgroup.procs", std::to_string(::getpid())));
    const std::size_t page = page_bytes().count();
    const std::size_t bytes = plan.megabytes << 20;
    auto* memory =
        static_cast<unsigned char*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory == MAP_FAILED)
        fail("no memory");
    ::madvise(memory, bytes, MADV_NOHUGEPAGE);
    std::mt19937_64 random(7);  // NOLINT(cert-msc51-cpp)
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
        const std::uint64_t value = random();
        std::memcpy(memory + at, &value, sizeof value);
    }
    const std::vector<std::size_t> order = shuffled(bytes / page);
    char byte = 0;
    if (::write(ready, "r", 1) != 1 || ::read(go, &byte, 1) != 1)
        return;
    const long faults = major_faults();
    std::vector<double> waits;
    unsigned sum = 0;
    for (std::size_t at = 0; at < order.size(); at += plan.pages_at_once) {
        const Clock::time_point start = Clock::now();
        for (std::size_t i = at; i < std::min(at + plan.pages_at_once, order.size()); ++i)
            sum += memory[order[i] * page];
        waits.push_back(Milliseconds(Clock::now() - start).count());
        std::this_thread::sleep_for(plan.rest);
    }
    std::printf("first %.0f ms, first ten %.0f ms, all %zu: %.1f s; slowest %.0f ms; %ld major faults (%u)\n", waits.front(),
                std::accumulate(waits.begin(), waits.begin() + static_cast<long>(std::min<std::size_t>(waits.size(), 10)), 0.0),
                waits.size(), std::accumulate(waits.begin(), waits.end(), 0.0) / 1000, *std::ranges::max_element(waits),
                major_faults() - faults, sum & 1U);
    std::fflush(stdout);
}

int run(bool reads, const Plan& plan) {
    const auto root = RootDir::open("/");
    if (!root)
        fail(root.error().message());
    ::mkdir(("/" + cgroup).c_str(), 0755);
    int ready[2];
    int go[2];
    if (::pipe2(ready, O_CLOEXEC) != 0 || ::pipe2(go, O_CLOEXEC) != 0)
        fail("no pipe");
    const pid_t owner = ::fork();
    if (owner == 0) {
        be_owner(*root, plan, ready[1], go[0]);
        ::_exit(EXIT_SUCCESS);
    }
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1)
        fail("the owner's program ended");
    const std::uint64_t wanted = (plan.megabytes << 20) / 10 * 9;
    for (int i = 0; i < 50 && swapped_bytes(*root) < wanted; ++i)
        static_cast<void>(root->write_file(cgroup + "/memory.reclaim", std::to_string(plan.megabytes << 20)));
    if (swapped_bytes(*root) < wanted)
        fail("the kernel did not evict the owner's memory; is there swap?");
    ::sync();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    std::printf("%s: ", reads ? "with" : "without");
    std::fflush(stdout);
    std::unique_ptr<HelpedSwapReader> helper;
    if (reads) {
        auto started = HelpedSwapReader::begin_with([&] { return HelperProcess::start(*root, HelpedSwapReader::work()); });
        if (!started)
            fail(started.error().message());
        helper = *std::move(started);
        check(helper->begin({{cgroup, core::to_pages(Bytes(plan.megabytes << 20), page_bytes())}}));
    }
    const Clock::time_point start = Clock::now();
    if (::write(go[1], "g", 1) != 1)
        fail("the owner's program ended");
    std::string read_back;
    int status = 0;
    while (::waitpid(owner, &status, WNOHANG) == 0) {
        if (const auto report = helper ? helper->take_report() : std::nullopt)
            read_back = "the helper read " + std::to_string(report->read.count()) + " pages in " +
                        format_fixed(std::chrono::duration<double>(Clock::now() - start).count(), 1) + " s" +
                        (report->problem.empty() ? "" : ": " + report->problem);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (reads)
        std::puts(read_back.empty() ? "the helper had not ended" : read_back.c_str());
    return status;
}

}  // namespace
}  // namespace tmm::os

int main(int argc, char** argv) {
    const std::string how = argc > 1 ? argv[1] : "";
    if (how != "with" && how != "without") {
        std::fputs("usage: read-back-benchmark with|without [MEGABYTES [PAGES-AT-ONCE [REST-IN-MS]]]\n", stderr);
        return EXIT_FAILURE;
    }
    tmm::os::Plan plan;
    if (argc > 2)
        plan.megabytes = std::strtoull(argv[2], nullptr, 10);
    if (argc > 3)
        plan.pages_at_once = std::strtoull(argv[3], nullptr, 10);
    if (argc > 4)
        plan.rest = std::chrono::milliseconds(std::strtol(argv[4], nullptr, 10));
    return tmm::os::run(how == "with", plan) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
