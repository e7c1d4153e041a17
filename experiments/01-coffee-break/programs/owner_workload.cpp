// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-workload: a resident application with a known working set, see --help.
#include <cstdio>
#include <cstring>
#include <thread>

#include "interaction_recorder.hpp"
#include "owner_options.hpp"
#include "presence_clock.hpp"

namespace tmm::coffee {
namespace {

Result<void> work(const OwnerOptions& options) {
    const auto memory = make_memory(options);
    if (!memory)
        return memory.error();
    auto recorder = InteractionRecorder::create(options.log_path);
    if (!recorder)
        return recorder.error();
    const auto pattern = make_pattern(options);
    std::vector<PageIndex> batch;
    batch.reserve(options.batch_pages);
    if (auto result = tell_ready(options.ready_path); !result)
        return result;

    while (!asked_to_end()) {
        pattern->next(options.batch_pages, batch);
        recorder->begin();
        auto touched = (*memory)->touch(batch);
        recorder->end();
        if (!touched)
            return touched;
        std::this_thread::sleep_for(options.think);
    }
    recorder->finish();
    return {};
}

int run(std::span<const char* const> arguments) {
    if (!arguments.empty() && (std::strcmp(arguments[0], "--help") == 0 || std::strcmp(arguments[0], "-h") == 0)) {
        std::fputs(owner_usage, stdout);
        return 0;
    }
    const auto options = parse_owner_options(arguments);
    if (!options) {
        std::fprintf(stderr, "owner-workload: %s\n%s", options.error().message().c_str(), owner_usage);
        return 2;
    }
    watch_presence();
    if (const auto result = work(*options); !result) {
        std::fprintf(stderr, "owner-workload: %s\n", result.error().message().c_str());
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace tmm::coffee

int main(int argc, char** argv) {
    return tmm::coffee::run(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1)));
}
