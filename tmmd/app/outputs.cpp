// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/outputs.hpp"

#include <sys/stat.h>

namespace tmm::app {

namespace {

constexpr const char* default_state_directory = "/var/lib/tmm";
constexpr const char* settings_name = "owner.conf";
constexpr const char* history_name = "history";
constexpr std::size_t max_settings_bytes = 65536;

Result<Recorder> create_recorder(const std::string& path) {
    const auto hash = trace::KeyHash::random();
    return hash ? Recorder::create(path, *hash) : Result<Recorder>(hash.error());
}

}  // namespace

Result<Outputs> open_outputs(const Options& options, const RootDir& state_root) {
    Outputs outputs;
    if (!options.timeline_path.empty()) {
        auto created = Timeline::create(options.timeline_path);
        if (!created)
            return std::move(created).error().with_context("timeline");
        outputs.timeline = *std::move(created);
    }
    if (!options.record_path.empty()) {
        auto created = create_recorder(options.record_path);
        if (!created)
            return std::move(created).error().with_context("recording");
        outputs.recorder = *std::move(created);
    }
    if (options.state_path.empty())
        ::mkdir(default_state_directory, 0755);  // in case no unit made it; without it, saving reports the error
    const std::string state_path = options.state_path.empty() ? default_state_path : options.state_path;
    const std::string directory = state_path.substr(0, state_path.rfind('/') + 1);
    outputs.state.emplace(storage::StateFile(state_root, state_path));
    outputs.settings.emplace(state_root, directory + settings_name, max_settings_bytes);
    outputs.history.emplace(storage::StateFile(state_root, directory + history_name));
    return outputs;
}

}  // namespace tmm::app
