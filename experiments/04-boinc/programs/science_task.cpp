// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// science_task MEGABYTES: a task for a BOINC client, which never ends. It makes ten steps a second, as on a processor of its own:
// each step uses a fiftieth of its memory and computes for some milliseconds. So it is behind only if it waits for memory, or if
// the client stops it. Its checkpoint is the number of its steps.
#include <boinc/boinc_api.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t steps_per_lap = 50;
constexpr std::chrono::milliseconds step_time(100);
// Some 10 ms in an emulated machine, so eight tasks leave processors to the owner.
constexpr int computations = 1'000'000;
constexpr const char* checkpoint = "checkpoint";

std::uint64_t read_checkpoint() {
    unsigned long long steps = 0;
    if (std::FILE* file = std::fopen(checkpoint, "r")) {
        if (std::fscanf(file, "%llu", &steps) != 1)
            steps = 0;
        std::fclose(file);
    }
    return steps;
}

// The old one stays if this fails.
bool write_checkpoint(std::uint64_t steps) {
    std::FILE* file = std::fopen("checkpoint.part", "w");
    if (file == nullptr)
        return false;
    const bool is_written = std::fprintf(file, "%llu\n", static_cast<unsigned long long>(steps)) > 0;
    return std::fclose(file) == 0 && is_written && std::rename("checkpoint.part", checkpoint) == 0;
}

std::uint64_t compute(std::uint64_t value) {
    for (int i = 0; i < computations; ++i)
        value = value * 6364136223846793005U + 1442695040888963407U;
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t bytes = argc == 2 ? std::strtoul(argv[1], nullptr, 10) << 20 : 0;
    if (bytes == 0)
        return 2;
    boinc_init();
    std::uint64_t steps = read_checkpoint();
    std::vector<char> memory(bytes);
    const std::size_t pages = bytes / page_bytes;
    std::uint64_t value = steps;
    for (auto next = Clock::now() + step_time;; next = std::max(next + step_time, Clock::now())) {
        value = compute(value);
        const std::size_t part = steps % steps_per_lap;
        for (std::size_t page = pages * part / steps_per_lap; page < pages * (part + 1) / steps_per_lap; ++page)
            memory[page * page_bytes] = static_cast<char>(value);
        ++steps;
        if (boinc_time_to_checkpoint() && write_checkpoint(steps))
            boinc_checkpoint_completed();
        std::this_thread::sleep_until(next);
    }
}
