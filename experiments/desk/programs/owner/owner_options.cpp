// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "owner_options.hpp"

#include "arena.hpp"
#include "command_line.hpp"

namespace tmm::desk {

const char* const owner_usage =
    "owner-workload [OPTION]...: an application with a known working set\n"
    "  --pattern KIND     loop: all pages in turn; zipf: some much more often than others;\n"
    "                     phases: a loop over one part, then over the next (loop)\n"
    "  --memory KIND      anon: memory of its own; file-read, file-map: a file, by read or by\n"
    "                     mmap, never written (anon)\n"
    "  --file PATH        the file, which is made at the start and removed at the end\n"
    "  --mb N             memory in MB (100)\n"
    "  --batch PAGES      pages touched in an interaction (256)\n"
    "  --think-ms M       pause between interactions (20)\n"
    "  --zipf-s S         exponent of the Zipf law (0.9)\n"
    "  --parts N          number of parts of phases (2)\n"
    "  --rounds N         rounds over a part before the next part (4)\n"
    "  --write-every N    every Nth touch writes; 0: none (4)\n"
    "  --seed N           seed of the contents and of the zipf pattern (1)\n"
    "  --compressible N   an Nth of each page is random, the rest is zero; anon only (1)\n"
    "  --log FILE         CSV of latencies, a row a second\n"
    "  --ready FILE       made when the memory is filled\n";

namespace {

// The value of that name. Error: unknown name.
template <typename Value>
Result<Value> chosen(const CommandLine& line, const char* option, const char* otherwise,
                     const std::vector<std::pair<const char*, Value>>& values) {
    const std::string text = line.text(option, otherwise);
    std::string names;
    for (const auto& [name, value] : values) {
        if (text == name)
            return value;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return Error(0, "--" + std::string(option) + " must be one of " + names + ", not '" + text + "'");
}

}  // namespace

Result<OwnerOptions> parse_owner_options(std::span<const char* const> arguments) {
    const auto line = CommandLine::parse(arguments, {"pattern", "memory", "file", "mb", "batch", "think-ms", "zipf-s", "parts",
                                                     "rounds", "write-every", "seed", "compressible", "log", "ready"});
    if (!line)
        return line.error();

    OwnerOptions options;
    const auto pattern = chosen<PatternKind>(
        *line, "pattern", "loop", {{"loop", PatternKind::loop}, {"zipf", PatternKind::zipf}, {"phases", PatternKind::phases}});
    if (!pattern)
        return pattern.error();
    options.pattern = *pattern;
    const auto memory = chosen<MemoryKind>(
        *line, "memory", "anon",
        {{"anon", MemoryKind::anonymous}, {"file-read", MemoryKind::file_read}, {"file-map", MemoryKind::file_mapped}});
    if (!memory)
        return memory.error();
    options.memory = *memory;
    options.file_path = line->text("file", "");
    if (options.memory != MemoryKind::anonymous && options.file_path.empty())
        return Error(0, "--memory " + line->text("memory", "") + " needs --file PATH");

    const auto mb = line->number("mb", 100, 1, 1 << 20);
    const auto batch = line->number("batch", 256, 1, 1 << 24);
    const auto think_ms = line->number("think-ms", 20, 0, 3600000);
    const auto exponent = line->number("zipf-s", 0.9, 0, 10);
    const auto parts = line->number("parts", 2, 1, 256);
    const auto rounds = line->number("rounds", 4, 1, 1 << 24);
    const auto write_every = line->number("write-every", 4, 0, 1 << 24);
    const auto seed = line->number("seed", 1, 0, 1e15);
    const auto compressible = line->number("compressible", 1, 1, max_compressible);
    for (const auto* value : {&mb, &batch, &think_ms, &exponent, &parts, &rounds, &write_every, &seed, &compressible})
        if (!*value)
            return value->error();

    options.nr_pages = static_cast<PageIndex>(*mb * (1 << 20) / 4096);
    options.batch_pages = static_cast<std::size_t>(*batch);
    options.think = std::chrono::milliseconds(static_cast<long>(*think_ms));
    options.zipf_exponent = *exponent;
    options.phase_parts = static_cast<PageIndex>(*parts);
    options.phase_rounds = static_cast<unsigned>(*rounds);
    options.write_every = static_cast<unsigned>(*write_every);
    options.seed = static_cast<std::uint64_t>(*seed);
    options.compressible = static_cast<unsigned>(*compressible);
    options.log_path = line->text("log", "");
    options.ready_path = line->text("ready", "");
    return options;
}

std::unique_ptr<Pattern> make_pattern(const OwnerOptions& options) {
    switch (options.pattern) {
        case PatternKind::zipf:
            return std::make_unique<ZipfPattern>(options.nr_pages, options.zipf_exponent, options.seed);
        case PatternKind::phases:
            return std::make_unique<PhasesPattern>(options.nr_pages, options.phase_parts, options.phase_rounds);
        case PatternKind::loop:
            break;
    }
    return std::make_unique<LoopPattern>(options.nr_pages);
}

Result<std::unique_ptr<OwnerMemory>> make_memory(const OwnerOptions& options) {
    if (options.memory == MemoryKind::anonymous)
        return anonymous_memory(options.nr_pages, options.seed, options.write_every, options.compressible);
    return file_memory(options.file_path, options.nr_pages, options.seed,
                       options.memory == MemoryKind::file_read ? FileAccess::read : FileAccess::mapped);
}

}  // namespace tmm::desk
