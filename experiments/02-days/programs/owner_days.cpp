// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-days: simulates an owner's days. See --help.
#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "base/units.hpp"
#include "options.hpp"
#include "oracle.hpp"
#include "pattern.hpp"
#include "recording.hpp"
#include "simulation.hpp"
#include "trace.hpp"

namespace tmm::days {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_usage = 2;
constexpr double mega = 1 << 20;
constexpr double giga = 1 << 30;

Result<std::string> read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error(ENOENT, path.string() + ": cannot be read");
    return std::string(std::istreambuf_iterator<char>(file), {});
}

struct Life {
    Owner owner;
    std::vector<Pattern> patterns;
};

Result<Life> read_life(const Options& options) {
    const std::filesystem::path path(options.owner);
    const auto text = read(path);
    if (!text)
        return text.error();
    auto owner = parse_owner(*text, path.stem().string(), path.string());
    if (!owner)
        return std::move(owner).error();
    Life life{.owner = *std::move(owner), .patterns = {}};
    const std::filesystem::path folder =
        options.patterns.empty() ? path.parent_path() / ".." / "patterns" : std::filesystem::path(options.patterns);
    for (const Part& part : life.owner.parts) {
        const std::filesystem::path file = folder / (part.pattern + ".ini");
        const auto pattern_text = read(file);
        if (!pattern_text)
            return Error(pattern_text.error().code(), part.where + ": " + pattern_text.error().message());
        auto pattern = parse_pattern(*pattern_text, part.pattern, file.string());
        if (!pattern)
            return std::move(pattern).error();
        life.patterns.push_back(*std::move(pattern));
    }
    return life;
}

Result<Trace> recorded_trace(const Options& options, const Owner& owner) {
    if (owner.recorded_unit_bytes == 0)
        return Error(EINVAL, options.owner + ": --recording needs an owner with RecordedUnit and without [Patterns]");
    if (options.memory_bytes / owner.recorded_unit_bytes < min_units)
        return Error(EINVAL, "--memory: the machine must hold at least " + std::to_string(min_units) + " units of the recording");
    UniqueFd file(::open(options.recording.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return Error::from_errno(errno, options.recording);
    trace::TraceReader reader(std::move(file), options.recording, 1);
    return read_recording(reader, owner, options.seed);
}

Result<Trace> trace_for(const Options& options, const Life& life) {
    if (!options.recording.empty())
        return recorded_trace(options, life.owner);
    if (life.owner.recorded_unit_bytes != 0)
        return Error(EINVAL, options.owner + ": its days are a recording; name it by --recording");
    return make_trace(
        life.owner, life.patterns,
        {.memory_bytes = options.memory_bytes, .unit_bytes = options.unit_bytes, .scale = options.scale, .seed = options.seed});
}

void print_header() {
    std::puts(
        "owner,memory_mb,unit_kb,seed,store,system,limit_mean_mb,donated_mean_mb,donated_gb_h,oracle_gb_h,oracle_share,misses,"
        "waited_s_per_day,waited_worst_day_s,waited_worst_minute_s,returns,return_median_s,return_p95_s,return_worst_s,"
        "oracle_return_p95_s,by_learning,by_corrected,by_minimum,by_need");
}

struct Run {
    const Options& options;
    const Owner& owner;
    const Trace& trace;
    const Machine& machine;
    const Oracle& oracle;
};

void print_row(const Run& run, const std::string& system, const Outcome& outcome) {
    const auto unit = static_cast<double>(run.trace.unit_bytes);
    const double seconds = run.trace.seconds;
    const double best = run.oracle.donated(outcome.waited);
    std::printf("%s,%.0f,%.0f,%llu,%s,%s,%.1f,%.1f,%.3f,%.3f,%.4f,%llu,%.6g,%.6g,%.6g,%zu,%.6g,%.6g,%.6g,%.6g",
                run.owner.name.c_str(), static_cast<double>(run.options.memory_bytes) / mega, unit / 1024,
                static_cast<unsigned long long>(run.options.seed), run.machine.store.name.c_str(), system.c_str(),
                outcome.limit_mean * unit / mega, outcome.donated / seconds * unit / mega, outcome.donated * unit / giga / 3600,
                best * unit / giga / 3600, best > 0 ? outcome.donated / best : 1, static_cast<unsigned long long>(outcome.misses),
                outcome.waited / seconds * seconds_per_day, outcome.worst_day, outcome.worst_minute, outcome.returns.size(),
                percentile(outcome.returns, 0.5), percentile(outcome.returns, 0.95), percentile(outcome.returns, 1),
                percentile(run.oracle.returns(run.trace, outcome.waited), 0.95));
    for (const Rule rule : {Rule::learning, Rule::corrected, Rule::minimum, Rule::need})
        std::printf(",%.4f", outcome.rules[static_cast<std::size_t>(rule)]);
    std::printf("\n");
    std::fflush(stdout);
}

int run_all(const Options& options) {
    const auto life = read_life(options);
    if (!life) {
        std::fprintf(stderr, "owner-days: %s\n", life.error().message().c_str());
        return exit_failed;
    }
    const auto trace = trace_for(options, *life);
    if (!trace) {
        std::fprintf(stderr, "owner-days: %s\n", trace.error().message().c_str());
        return exit_failed;
    }
    std::ofstream timeline;
    if (!options.timeline.empty()) {
        timeline.open(options.timeline);
        if (!timeline) {
            std::fprintf(stderr, "owner-days: %s: cannot be written\n", options.timeline.c_str());
            return exit_failed;
        }
        timeline << "store,system,second,attended,limit_mb,resident_mb,waited_s,rule\n";
    }
    print_header();
    for (const std::string& store : options.stores) {
        const Machine machine{.is_file = &trace->is_file,
                              .cgroup_of = trace->cgroup_of.empty() ? nullptr : &trace->cgroup_of,
                              .capacity = static_cast<std::uint32_t>(options.memory_bytes / trace->unit_bytes),
                              .unit_bytes = trace->unit_bytes,
                              .store = *store_named(store, options.compressed),
                              .contributions = options.contributions};
        const Oracle oracle(*trace, machine);
        for (const std::string& name : options.systems.empty() ? system_names() : options.systems) {
            const auto system = make_system(name, machine, options.break_even);
            const auto watch = [&](const Progress& progress) {
                const double units_per_mb = mega / static_cast<double>(trace->unit_bytes);
                timeline << store << ',' << name << ',' << progress.second << ','
                         << static_cast<int>(trace->attended[progress.second - 1]) << ','
                         << format_fixed(progress.limit / units_per_mb, 1) << ','
                         << format_fixed(progress.resident / units_per_mb, 1) << ',' << format_fixed(progress.waited, 3) << ','
                         << static_cast<int>(progress.rule) << '\n';
            };
            const Outcome outcome =
                timeline.is_open() ? simulate(*trace, machine, *system, watch) : simulate(*trace, machine, *system);
            print_row({options, life->owner, *trace, machine, oracle}, name, outcome);
        }
    }
    return 0;
}

}  // namespace
}  // namespace tmm::days

int main(int argc, char** argv) {
    const auto options = tmm::days::parse_options(argc, argv);
    if (!options) {
        std::fprintf(stderr, "owner-days: %s; see owner-days --help\n", options.error().message().c_str());
        return tmm::days::exit_usage;
    }
    if (options->help) {
        std::fputs(tmm::days::help_text().c_str(), stdout);
        return 0;
    }
    return tmm::days::run_all(*options);
}
