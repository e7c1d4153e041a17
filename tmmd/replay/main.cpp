// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-replay(1): options, two passes over the trace, and the report.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/log/log.hpp"
#include "base/units.hpp"
#include "tmmd/replay/input.hpp"
#include "tmmd/replay/options.hpp"
#include "tmmd/replay/page_census.hpp"
#include "tmmd/replay/replay.hpp"
#include "tmmd/replay/report.hpp"

namespace tmm::replay {
namespace {

constexpr int exit_usage = 2;

// Overwrites a line on standard error, once a second.
class Progress {
public:
    explicit Progress(bool wanted) : wanted_(wanted) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() {
        if (shown_)
            std::fputc('\n', stderr);
    }

    void show(const char* what, std::uint64_t bytes, std::uint64_t all_bytes) {
        const auto now = std::chrono::steady_clock::now();
        if (!wanted_ || now - last_ < std::chrono::seconds(1))
            return;
        last_ = now;
        shown_ = true;
        if (all_bytes > 0)
            std::fprintf(stderr, "\rtmm-replay: %s, %s %%   ", what,
                         format_fixed(100.0 * static_cast<double>(bytes) / static_cast<double>(all_bytes), 0).c_str());
        else
            std::fprintf(stderr, "\rtmm-replay: %s, %s   ", what, format_bytes(bytes).c_str());
    }

private:
    bool wanted_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Completes the parameters: those without an option follow from the pages of the trace.
Result<void> complete(const Options& options, Input& input, Progress& progress, Parameters& parameters) {
    parameters.epoch_us = options.epoch_us;
    parameters.exact = options.exact;
    parameters.policy.objective = options.objective;
    parameters.sample_shift = options.sample_shift.value_or(0);
    parameters.memory = options.memory.value_or(core::Pages(1));
    if (options.sample_shift && options.memory)
        return {};
    auto rereadable = input.make_rereadable();
    if (!rereadable)
        return rereadable;
    core::PageCensus census(default_samples, max_shift);
    auto counted = input.for_each([&](std::uint64_t bytes) { progress.show("counting pages", bytes, input.size_bytes()); },
                                  [&](const trace::Record& record) {
                                      if (record.page_class == trace::PageClass::opaque)
                                          census.see(record.page, record.weight);
                                  });
    if (!counted)
        return counted;
    if (!options.sample_shift)
        parameters.sample_shift = census.shift();
    if (!options.memory)
        parameters.memory = std::max(census.pages(), core::Pages(1));
    return {};
}

Result<std::string> run(const Options& options) {
    auto input = Input::open(options.file, options.record_time_us);
    if (!input)
        return std::move(input).error();
    Progress progress(options.progress || ::isatty(STDERR_FILENO) == 1);
    Parameters parameters;
    auto completed = complete(options, *input, progress, parameters);
    if (!completed)
        return std::move(completed).error();
    Replay replay(parameters);
    auto replayed = input->for_each([&](std::uint64_t bytes) { progress.show("replaying", bytes, input->size_bytes()); },
                                    [&](const trace::Record& record) { replay.add(record); });
    if (!replayed)
        return std::move(replayed).error();
    return format_outcome(std::move(replay).finish(), parameters, options.form);
}

// Standard output may be a file on a full disk.
int print(const Log& log, const std::string& text) {
    if (std::fputs(text.c_str(), stdout) != EOF && std::fflush(stdout) == 0)
        return EXIT_SUCCESS;
    log.error(Error::from_errno(errno, "standard output").message());
    return EXIT_FAILURE;
}

int main_of(int argc, char** argv) {
    const Log log("tmm-replay", LogLevel::info, false);
    const auto options = parse_options(argc, argv);
    if (!options) {
        log.error(options.error().message() + "; see tmm-replay --help");
        return exit_usage;
    }
    if (options->action == Options::Action::help)
        return print(log, usage());
    if (options->action == Options::Action::version)
        return print(log, "tmm-replay " TMM_VERSION "\n");
    const auto report = run(*options);
    if (!report) {
        log.error(report.error().message());
        return EXIT_FAILURE;
    }
    return print(log, *report);
}

}  // namespace
}  // namespace tmm::replay

int main(int argc, char** argv) {
    try {
        return tmm::replay::main_of(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("tmm-replay: not enough memory; a larger --sample-shift needs less, --exact needs most\n", stderr);
        return EXIT_FAILURE;
    }
}
