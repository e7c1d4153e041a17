// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// make-trace: writes the trace of a synthetic owner to standard output. See --help.
#include <getopt.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/units.hpp"
#include "tmmd/trace/record.hpp"
#include "workload.hpp"

namespace tmm::histogram {
namespace {

constexpr int exit_usage = 2;

void print_help() {
    std::puts(
        "Usage: make-trace [--memory=PAGES] [--rate=PAGES_PER_SECOND] [--seconds=S] [--seed=N] WORKLOAD\n"
        "Writes a trace for tmm-replay(1) to standard output. Workloads:");
    for (const Workload& workload : workloads())
        std::printf("  %-8s %s\n", std::string(workload.name).c_str(), std::string(workload.description).c_str());
}

int usage_error(const std::string& what) {
    std::fprintf(stderr, "make-trace: %s; see make-trace --help\n", what.c_str());
    return exit_usage;
}

bool set_number(int option, const char* text, Shape& shape) {
    const auto number = parse_double(text);
    if (!number || *number <= 0 || *number > 1e12)
        return false;
    switch (option) {
        case 'm':
            shape.memory_pages = static_cast<std::uint64_t>(*number);
            return *number >= 1000;
        case 'r':
            shape.visits_per_s = *number;
            return true;
        case 't':
            shape.seconds = *number;
            return *number <= 1e7;
        default:
            shape.seed = static_cast<std::uint64_t>(*number);
            return true;
    }
}

int write_trace(const Workload& workload, const Shape& shape) {
    std::fprintf(stdout, "%s\n", std::string(trace::header).c_str());
    // With another seed tmm-replay samples other pages, too.
    const std::uint64_t first_key = shape.seed << 40;
    workload.generate(shape, [&](const Visit& visit) {
        const std::string line = trace::format_record({.t_us = visit.t_us, .page = first_key + visit.page});
        for (unsigned reference = 0; reference < visit.references; ++reference)
            std::fwrite(line.data(), 1, line.size(), stdout);
    });
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        std::fprintf(stderr, "make-trace: standard output: %s\n", std::strerror(errno));
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int main_of(int argc, char** argv) {
    static constexpr option long_options[] = {
        {"help", no_argument, nullptr, 'h'},       {"memory", required_argument, nullptr, 'm'},
        {"rate", required_argument, nullptr, 'r'}, {"seconds", required_argument, nullptr, 't'},
        {"seed", required_argument, nullptr, 's'}, {nullptr, 0, nullptr, 0},
    };
    ::opterr = 0;
    Shape shape;
    for (;;) {
        const int found = ::getopt_long(argc, argv, "+h", long_options, nullptr);
        if (found == -1)
            break;
        if (found == 'h') {
            print_help();
            return EXIT_SUCCESS;
        }
        if (found == '?' || !set_number(found, ::optarg, shape))
            return usage_error("cannot make sense of '" + std::string(argv[::optind - 1]) + "'");
    }
    if (::optind + 1 != argc)
        return usage_error("name one workload");
    const auto workload = workload_named(argv[::optind]);
    if (!workload)
        return usage_error("no workload '" + std::string(argv[::optind]) + "'");
    return write_trace(*workload, shape);
}

}  // namespace
}  // namespace tmm::histogram

int main(int argc, char** argv) {
    return tmm::histogram::main_of(argc, argv);
}
