// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/sim/options.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

namespace tmm::far {

const std::string_view replay_usage =
    R"(Usage: tmm-far-replay [OPTION]... PROGRAM...
Simulates programs on far memory that share a link, and prints a row for each.

  --gbit=NUMBER         bandwidth of the link, Gbit/s (2.5)
  --latency-us=NUMBER   from the end of a page's sending to its arrival (30)
  --prefetch=NAME       two-tier (default), none, cluster, leap-shared, leap or leap-thread
  --batch=PAGES         of a prefetching request, at most; the link sends it whole (1)
  --edges               programs name the edges between their pages
  --without=PART,...    streams, vote, successors, edges, fair, demand-first, drop-late, reissue, keep, hot, stay
  --warm-up=SECONDS     not counted (1)
  --seconds=SECONDS     (1)
  --csv                 prints comma-separated values
  -h, --help

PROGRAM is KEY=VALUE,...:
  pattern=NAME          sequential, stride, scan, runs, random, zipf, quicksort, columns, list or tree; or
  file=PATH             a recording of tmm-far
  name=TEXT             (its pattern or file)
  threads=N             of a pattern (1)
  pages=N               of a pattern (10000); of a recording, for the limit
  local=PERCENT         of its pages (25)
  quota=PERCENT         of its pages (100)
  work-us=NUMBER        mean time between two accesses of a thread (5)
  writes=PERCENT        of accesses (0)
  weight=N              1 to 100 (1)
  seed=N                (1)
)";

namespace {

Error invalid(const std::string& what) {
    return {EINVAL, what};
}

Result<double> number_of(const std::string& text, double max) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= max))
        return invalid("'" + text + "' is not a number from 0 to " + std::to_string(static_cast<std::uint64_t>(max)));
    return value;
}

nanoseconds time_of(double seconds) {
    return nanoseconds(std::llround(seconds * 1e9));
}

std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (;;) {
        const std::size_t comma = list.find(',', start);
        parts.push_back(list.substr(start, comma - start));
        if (comma == std::string::npos)
            return parts;
        start = comma + 1;
    }
}

Result<void> switch_off(Rules& rules, const std::string& list) {
    const std::map<std::string, bool*> switches{
        {"streams", &rules.parts.streams},    {"vote", &rules.parts.vote},      {"successors", &rules.parts.successors},
        {"edges", &rules.parts.edges},        {"fair", &rules.link.fair},       {"demand-first", &rules.link.demand_first},
        {"drop-late", &rules.link.drop_late}, {"reissue", &rules.link.reissue}, {"keep", &rules.entries.keep},
        {"hot", &rules.entries.hot},          {"stay", &rules.entries.stay},
    };
    for (const std::string& part : parts_of(list)) {
        const auto found = switches.find(part);
        if (found == switches.end())
            return invalid("no part '" + part + "'");
        *found->second = false;
    }
    return {};
}

Result<Behaviour> read_recording(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error::from_errno(errno, path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto faults = parse_recording(text);
    if (!faults)
        return std::move(faults).error().with_context(path);
    return behaviour_of(*faults);
}

Result<std::pair<ProgramSpec, Behaviour>> parse_program(const std::string& text) {
    std::string pattern;
    std::string path;
    std::string name;
    std::map<std::string, double> numbers{{"threads", 1}, {"pages", 10000}, {"local", 25}, {"quota", 100},
                                          {"work-us", 5}, {"writes", 0},    {"weight", 1}, {"seed", 1}};
    for (const std::string& part : parts_of(text)) {
        const std::size_t equals = part.find('=');
        const std::string key = part.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
        if (key == "pattern") {
            pattern = value;
        } else if (key == "file") {
            path = value;
        } else if (key == "name") {
            name = value;
        } else if (numbers.contains(key)) {
            const auto number = number_of(value, 1e8);
            if (!number)
                return Error(number.error()).with_context(key);
            numbers[key] = *number;
        } else {
            return invalid("no key '" + key + "' of a program");
        }
    }
    const auto whole = [&](const char* key) { return static_cast<std::uint64_t>(numbers.at(key)); };
    if (whole("threads") < 1 || whole("pages") < whole("threads") || whole("weight") < 1 ||
        whole("weight") > LinkScheduler::max_weight)
        return invalid("'" + text + "': threads, pages a thread and weight are at least 1, and a weight at most 100");
    const double pages = numbers.at("pages");
    const ProgramSpec spec{name.empty() ? pattern + path : name, static_cast<std::uint64_t>(pages * numbers.at("local") / 100),
                           static_cast<std::uint32_t>(pages * numbers.at("quota") / 100),
                           static_cast<std::uint32_t>(whole("weight"))};
    if (static_cast<double>(spec.limit_pages + spec.quota_pages) < pages * 1.01)
        return invalid("'" + text + "': limit and quota have no room for its pages and a hundredth more");
    auto behaviour =
        path.empty() ? make_pattern(pattern, {static_cast<std::uint32_t>(whole("threads")), whole("pages"),
                                              time_of(numbers.at("work-us") / 1e6), numbers.at("writes") / 100, whole("seed")})
                     : read_recording(path);
    if (!behaviour)
        return std::move(behaviour).error();
    return std::pair(spec, std::move(*behaviour));
}

}  // namespace

Result<ReplayOptions> parse_replay_options(const std::vector<std::string>& arguments) {
    ReplayOptions options;
    const std::map<std::string, std::function<void(double)>> numbers{
        {"--gbit", [&](double gbit) { options.link.bytes_per_s = gbit * 1e9 / 8; }},
        {"--latency-us", [&](double us) { options.link.latency = time_of(us / 1e6); }},
        {"--batch", [&](double pages) { options.rules.batch = static_cast<std::uint32_t>(pages); }},
        {"--warm-up", [&](double s) { options.warm_up = time_of(s); }},
        {"--seconds", [&](double s) { options.duration = time_of(s); }},
    };
    for (const std::string& argument : arguments) {
        const std::size_t equals = argument.find('=');
        const std::string key = argument.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
        if (argument == "-h" || argument == "--help") {
            options.help = true;
        } else if (argument == "--csv") {
            options.csv = true;
        } else if (argument == "--edges") {
            options.rules.use_edges = true;
        } else if (key == "--prefetch") {
            const auto kind = prefetch_kind(value);
            if (!kind)
                return kind.error();
            options.rules.prefetch = *kind;
        } else if (key == "--without") {
            if (const auto done = switch_off(options.rules, value); !done)
                return Result<void>(done).error();
        } else if (const auto found = numbers.find(key); found != numbers.end()) {
            const auto number = number_of(value, 1e6);
            if (!number)
                return Error(number.error()).with_context(key);
            found->second(*number);
        } else if (argument.starts_with("-")) {
            return invalid("no option '" + argument + "'");
        } else {
            auto program = parse_program(argument);
            if (!program)
                return std::move(program).error();
            options.programs.push_back(std::move(*program));
        }
    }
    if (options.link.bytes_per_s < 1e6 || options.duration <= nanoseconds())
        return invalid("a link has at least 0.008 Gbit/s, and a simulation some time");
    if (options.rules.batch < 1 || options.rules.batch > Wishes::max_wishes)
        return invalid("a batch has 1 to " + std::to_string(Wishes::max_wishes) + " pages");
    if (options.programs.empty() && !options.help)
        return invalid("no program");
    return options;
}

std::string table_of(const SimOutcome& outcome, bool csv) {
    struct Column {
        const char* name;
        int decimals;
        double value;
    };
    std::string text;
    for (std::size_t i = 0; i < outcome.programs.size(); ++i) {
        const Figures& figures = outcome.programs[i];
        const auto us = [](nanoseconds time) { return std::chrono::duration<double, std::micro>(time).count(); };
        const auto per = [](std::uint64_t part, std::uint64_t whole) {
            return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
        };
        const std::array columns{
            Column{"accesses_s", 0, outcome.pace(i)},
            Column{"misses", 0, static_cast<double>(figures.misses)},
            Column{"misses_k", 2, 1000 * per(figures.misses, figures.accesses)},
            Column{"hits", 0, static_cast<double>(figures.hits)},
            Column{"late", 3, per(figures.late_hits, figures.hits)},
            Column{"coverage", 4, figures.coverage()},
            Column{"accuracy", 4, figures.accuracy()},
            Column{"dropped", 0, static_cast<double>(figures.dropped)},
            Column{"wait_p50_us", 1, us(figures.wait_quantile(0.5))},
            Column{"wait_p99_us", 1, us(figures.wait_quantile(0.99))},
            Column{"wait_us_access", 3, us(figures.waited) / std::max(static_cast<double>(figures.accesses), 1.0)},
            Column{"link_share", 4, static_cast<double>(figures.fetched * page_bytes) / outcome.link_bytes},
            Column{"useful_share", 4, outcome.useful_share()},
            Column{"evictions", 0, static_cast<double>(figures.entries.evictions)},
            Column{"allocations", 4, per(figures.entries.allocations, figures.entries.evictions)},
            Column{"cancelled", 0, static_cast<double>(figures.entries.cancellations)},
            Column{"writes_saved", 4, per(figures.writes_saved, figures.writes + figures.writes_saved)},
        };
        const auto cell = [&](const std::string& value) {
            if (csv)
                text += ',' + value;
            else
                text += std::string(value.size() < 15 ? 15 - value.size() : 1, ' ') + value;
        };
        if (i == 0) {
            text += csv ? "program" : "program        ";
            for (const Column& column : columns)
                cell(column.name);
            text += '\n';
        }
        text += figures.name;
        if (!csv && figures.name.size() < 15)
            text += std::string(15 - figures.name.size(), ' ');
        for (const Column& column : columns) {
            std::array<char, 32> digits{};
            const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), column.value, std::chars_format::fixed,
                                           column.decimals)
                                 .ptr;
            cell({digits.data(), end});
        }
        text += '\n';
    }
    return text;
}

}  // namespace tmm::far
