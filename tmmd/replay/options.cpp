// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/options.hpp"

#include <getopt.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <string_view>

#include "base/units.hpp"
#include "tmmd/replay/replay.hpp"

namespace tmm::replay {

namespace {

constexpr double min_epoch_s = 0.001;
constexpr double max_epoch_s = 86400;
constexpr std::uint64_t max_memory_pages = std::uint64_t{1} << 40;  // 4 PiB
constexpr std::uint64_t max_record_time_us = 1'000'000;

Error bad_value(std::string_view option, std::string_view value, std::string_view wanted) {
    return {EINVAL, "--" + std::string(option) + ": '" + std::string(value) + "' is not " + std::string(wanted)};
}

Result<void> set_epoch(std::string_view value, Options& options) {
    const auto seconds = parse_double(value);
    if (!seconds || *seconds < min_epoch_s || *seconds > max_epoch_s)
        return bad_value("epoch", value, "a number of seconds from 0.001 to 86400");
    options.epoch_us = static_cast<std::uint64_t>(std::llround(*seconds * 1e6));
    return {};
}

Result<void> set_sample_shift(std::string_view value, Options& options) {
    const auto shift = parse_uint(value);
    if (!shift || *shift > max_shift)
        return bad_value("sample-shift", value, "a number from 0 to " + std::to_string(max_shift));
    options.sample_shift = static_cast<std::uint32_t>(*shift);
    return {};
}

Result<void> set_memory(std::string_view value, Options& options) {
    const auto pages = parse_uint(value);
    if (!pages || *pages < 1 || *pages > max_memory_pages)
        return bad_value("memory", value, "a number of pages from 1 to 2^40");
    options.memory = core::Pages(*pages);
    return {};
}

Result<void> set_record_time(std::string_view value, Options& options) {
    const auto time_us = parse_uint(value);
    if (!time_us || *time_us > max_record_time_us)
        return bad_value("record-time", value, "a number of microseconds from 0 to 1000000");
    options.record_time_us = *time_us;
    return {};
}

Result<void> set_objective(std::string_view value, Options& options) {
    if (value != "reuse" && value != "paper")
        return bad_value("objective", value, "reuse or paper");
    options.objective = value == "reuse" ? core::Objective::reuse : core::Objective::paper;
    return {};
}

Result<void> set_form(Form form, Options& options) {
    if (options.form != Form::text && options.form != form)
        return Error(EINVAL, "--json and --csv exclude each other");
    options.form = form;
    return {};
}

enum LongOnly { csv = 256, epoch, exact, json, memory, objective, progress, record_time, sample_shift, version };
constexpr std::array<option, 12> long_options{{
    {"csv", no_argument, nullptr, csv},
    {"epoch", required_argument, nullptr, epoch},
    {"exact", no_argument, nullptr, exact},
    {"help", no_argument, nullptr, 'h'},
    {"json", no_argument, nullptr, json},
    {"memory", required_argument, nullptr, memory},
    {"objective", required_argument, nullptr, objective},
    {"progress", no_argument, nullptr, progress},
    {"record-time", required_argument, nullptr, record_time},
    {"sample-shift", required_argument, nullptr, sample_shift},
    {"version", no_argument, nullptr, version},
    {nullptr, 0, nullptr, 0},
}};

// Applies one option that has a value or sets a flag; the caller has handled all else.
Result<void> set_option(int found, Options& options) {
    switch (found) {
        case csv:
            return set_form(Form::csv, options);
        case epoch:
            return set_epoch(::optarg, options);
        case exact:
            options.exact = true;
            return {};
        case json:
            return set_form(Form::json, options);
        case memory:
            return set_memory(::optarg, options);
        case objective:
            return set_objective(::optarg, options);
        case progress:
            options.progress = true;
            return {};
        case record_time:
            return set_record_time(::optarg, options);
        default:
            return set_sample_shift(::optarg, options);
    }
}

}  // namespace

Result<Options> parse_options(int argc, char* const argv[]) {
    Options options;
    ::optind = 0;  // restarts getopt_long: tests call this more than once
    ::opterr = 0;
    for (;;) {
        const int position = ::optind == 0 ? 1 : ::optind;
        const int found = ::getopt_long(argc, argv, "+:h", long_options.data(), nullptr);
        if (found == -1)
            break;
        if (found == 'h' || found == version) {
            options.action = found == 'h' ? Options::Action::help : Options::Action::version;
            return options;
        }
        if (found == ':')
            return Error(EINVAL, "option '" + std::string(argv[position]) + "' needs a value");
        if (found == '?')
            return Error(EINVAL, "unknown option '" + std::string(argv[position]) + "'");
        auto set = set_option(found, options);
        if (!set)
            return std::move(set).error();
    }
    if (::optind == argc)
        return Error(EINVAL, "no trace is named");
    if (::optind + 1 < argc)
        return Error(EINVAL, "unexpected argument '" + std::string(argv[::optind + 1]) + "'");
    options.file = argv[::optind];
    return options;
}

std::string usage() {
    return "Usage: tmm-replay [OPTION]... FILE\n"
           "Runs tmmd's policy over a recorded trace, or the text of valgrind --tool=lackey --trace-mem=yes. FILE '-': standard "
           "input.\n"
           "\n"
           "      --epoch=SECONDS     length of an epoch, 0.001 to 86400; default 1\n"
           "      --sample-shift=K    sample one page in 2^K, 0 to 13; default: at most 32768 pages\n"
           "      --memory=PAGES      memory of the machine; default: as many pages as the trace has\n"
           "      --objective=NAME    reuse (the default) or paper\n"
           "      --exact             also compute the exact curve of all references, and the error\n"
           "      --record-time=US    microseconds between two accesses of valgrind's text; default 1\n"
           "      --json              print one JSON object\n"
           "      --csv               print one table\n"
           "      --progress          show progress even if standard error is no terminal\n"
           "  -h, --help              show this help\n"
           "      --version           show the version\n"
           "\n"
           "See tmm-replay(1).\n";
}

}  // namespace tmm::replay
