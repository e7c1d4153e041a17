// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-curve: the exact miss curve of owner-workload, for the oracle: how many of its touches a memory of each size would have
// missed, were it replaced by LRU. Takes owner-workload's options and --touches.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/units.hpp"
#include "owner_options.hpp"
#include "stack_distances.hpp"

namespace tmm::coffee {
namespace {

constexpr const char* usage =
    "owner-curve TOUCHES [OPTION OF OWNER-WORKLOAD]...\n"
    "  Prints rows of 'size_pages,misses', from size 0 on: where the number of misses changes, and how many of the first "
    "TOUCHES\n"
    "  touches a memory of that size misses. First touches do not count. At most 10^9 touches.\n";
constexpr std::uint64_t most_touches = 1000000000;
constexpr std::size_t touches_at_once = 65536;

MissCurve curve_of(const OwnerOptions& options, std::uint64_t touches) {
    const auto pattern = make_pattern(options);
    StackDistances stack(options.nr_pages);
    MissCurve curve(options.nr_pages);
    std::vector<PageIndex> batch;
    for (std::uint64_t left = touches; left > 0; left -= batch.size()) {
        pattern->next(std::min<std::uint64_t>(left, touches_at_once), batch);
        for (const PageIndex page : batch)
            if (const auto distance = stack.touch(page))
                curve.add(*distance);
    }
    return curve;
}

int run(std::span<const char* const> arguments) {
    if (!arguments.empty() && (std::strcmp(arguments[0], "--help") == 0 || std::strcmp(arguments[0], "-h") == 0)) {
        std::fputs(usage, stdout);
        return 0;
    }
    const auto touches = arguments.empty() ? Result<std::uint64_t>(Error(0, "TOUCHES is missing")) : parse_uint(arguments[0]);
    if (!touches || *touches > most_touches) {
        std::fprintf(stderr, "owner-curve: %s\n%s", touches ? "too many touches" : touches.error().message().c_str(), usage);
        return 2;
    }
    const auto options = parse_owner_options(arguments.subspan(1));
    if (!options) {
        std::fprintf(stderr, "owner-curve: %s\n%s", options.error().message().c_str(), owner_usage);
        return 2;
    }
    std::fputs("size_pages,misses\n", stdout);
    for (const auto& step : curve_of(*options, *touches).steps())
        std::printf("%u,%llu\n", step.size_pages, static_cast<unsigned long long>(step.misses));
    if (std::fflush(stdout) != 0) {
        std::perror("owner-curve: cannot write the curve");
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace tmm::coffee

int main(int argc, char** argv) {
    return tmm::coffee::run(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1)));
}
