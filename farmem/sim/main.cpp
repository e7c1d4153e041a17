// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-far-replay: simulates programs on far memory.
#include <cstdio>

#include "farmem/sim/options.hpp"

int main(int argc, char** argv) {
    using namespace tmm::far;
    auto options = parse_replay_options({argv + 1, argv + argc});
    if (!options) {
        std::fprintf(stderr, "tmm-far-replay: %s\n", options.error().message().c_str());
        return 2;
    }
    if (options->help) {
        std::fwrite(replay_usage.data(), 1, replay_usage.size(), stdout);
        return 0;
    }
    Simulator simulator(options->link, options->rules);
    for (auto& [spec, behaviour] : options->programs)
        simulator.add(spec, std::move(behaviour));
    const std::string table = table_of(simulator.run(options->warm_up, options->duration), options->csv);
    std::fwrite(table.data(), 1, table.size(), stdout);
    return 0;
}
