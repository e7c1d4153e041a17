// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-workload: a resident application with a known working set, see --help.
#include <thread>

#include "interaction_recorder.hpp"
#include "owner_options.hpp"
#include "presence_clock.hpp"
#include "program.hpp"

namespace tmm::desk {
namespace {

Result<void> work(const OwnerOptions& options) {
    watch_presence();
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

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    using namespace tmm::desk;
    return run_program("owner-workload", owner_usage, argc, argv, parse_owner_options, work);
}
