// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-curve: the exact miss curve of owner-workload, for the oracle: the number of touches that miss in an LRU memory, by its
// size.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "base/units.hpp"
#include "miss_curve.hpp"
#include "owner_options.hpp"
#include "program.hpp"

namespace tmm::desk {
namespace {

constexpr const char* usage =
    "owner-curve TOUCHES [OPTION OF OWNER-WORKLOAD]...\n"
    "  Prints rows of 'size_pages,misses', from size 0 on, for the sizes at which misses\n"
    "  changes: the number of the first TOUCHES touches (at most 10^9) that miss in a\n"
    "  memory of that size. First touches of a page do not count.\n"
    "  owner-workload --help describes the options.\n";
constexpr std::uint64_t max_touches = 1000000000;
constexpr std::size_t touches_at_once = 65536;

struct Task {
    std::uint64_t touches = 0;
    OwnerOptions options;
};

Result<Task> parse(std::span<const char* const> arguments) {
    if (arguments.empty())
        return Error(0, "TOUCHES is missing");
    const auto touches = parse_uint(arguments[0]);
    if (!touches)
        return touches.error();
    if (*touches > max_touches)
        return Error(0, "too many touches");
    auto options = parse_owner_options(arguments.subspan(1));
    if (!options)
        return options.error();
    return Task{*touches, std::move(*options)};
}

Result<void> print_curve(const Task& task) {
    const auto pattern = make_pattern(task.options);
    MissCurve curve(task.options.nr_pages);
    std::vector<PageIndex> batch;
    for (std::uint64_t left = task.touches; left > 0; left -= batch.size()) {
        pattern->next(std::min<std::uint64_t>(left, touches_at_once), batch);
        for (const PageIndex page : batch)
            curve.touch(page);
    }
    std::fputs("size_pages,misses\n", stdout);
    for (const auto& step : curve.steps())
        std::printf("%u,%llu\n", step.size_pages, static_cast<unsigned long long>(step.misses));
    if (std::fflush(stdout) != 0)
        return Error::from_errno(errno, "cannot write the curve");
    return {};
}

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    return tmm::desk::run_program("owner-curve", tmm::desk::usage, argc, argv, tmm::desk::parse, tmm::desk::print_curve);
}
