// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "owner_options.hpp"

#include "command_line.hpp"

namespace tmm::coffee {

const char* const owner_usage =
    "owner-workload [OPTION]...: an application with a known working set\n"
    "  --pattern loop|zipf  all pages in turn, or some much more often than others (loop)\n"
    "  --mb N               memory in MB (100)\n"
    "  --batch PAGES        pages touched in an interaction (256)\n"
    "  --think-ms M         pause between interactions (20)\n"
    "  --zipf-s S           exponent of the Zipf law (0.9)\n"
    "  --write-every N      every Nth touch writes; 0: none does (4)\n"
    "  --seed N             of contents and of the Zipf pattern (1)\n"
    "  --log FILE           latencies, a row a second\n"
    "  --ready FILE         made when the memory is filled\n";

Result<OwnerOptions> parse_owner_options(std::span<const char* const> arguments) {
    const auto line =
        CommandLine::parse(arguments, {"pattern", "mb", "batch", "think-ms", "zipf-s", "write-every", "seed", "log", "ready"});
    if (!line)
        return line.error();

    OwnerOptions options;
    const std::string pattern = line->text("pattern", "loop");
    if (pattern != "loop" && pattern != "zipf")
        return Error(0, "--pattern must be loop or zipf, not '" + pattern + "'");
    options.zipf = pattern == "zipf";

    const auto mb = line->number("mb", 100, 1, 1 << 20);
    const auto batch = line->number("batch", 256, 1, 1 << 24);
    const auto think_ms = line->number("think-ms", 20, 0, 3600000);
    const auto exponent = line->number("zipf-s", 0.9, 0, 10);
    const auto write_every = line->number("write-every", 4, 0, 1 << 24);
    const auto seed = line->number("seed", 1, 0, 1e15);
    for (const auto* value : {&mb, &batch, &think_ms, &exponent, &write_every, &seed})
        if (!*value)
            return value->error();

    options.nr_pages = static_cast<PageIndex>(*mb * (1 << 20) / 4096);
    options.batch_pages = static_cast<std::size_t>(*batch);
    options.think = std::chrono::milliseconds(static_cast<long>(*think_ms));
    options.zipf_exponent = *exponent;
    options.write_every = static_cast<unsigned>(*write_every);
    options.seed = static_cast<std::uint64_t>(*seed);
    options.log_path = line->text("log", "");
    options.ready_path = line->text("ready", "");
    return options;
}

std::unique_ptr<Pattern> make_pattern(const OwnerOptions& options) {
    if (options.zipf)
        return std::make_unique<ZipfPattern>(options.nr_pages, options.zipf_exponent, options.seed);
    return std::make_unique<LoopPattern>(options.nr_pages);
}

}  // namespace tmm::coffee
