// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// owner-gnuplot: a person at a plot of a very large data set. Loads it into a gnuplot process once, then zooms in it.
#include <cerrno>
#include <thread>

#include "command_line.hpp"
#include "gnuplot_session.hpp"
#include "interaction_recorder.hpp"
#include "presence_clock.hpp"
#include "program.hpp"
#include "zoom.hpp"

namespace tmm::desk {
namespace {

constexpr const char* usage =
    "owner-gnuplot --data FILE --points N [OPTION]...\n"
    "  --data FILE     32-bit floats\n"
    "  --points N      number of floats to load; gnuplot needs 64 bytes for each\n"
    "  --think-ms M    pause between interactions (500)\n"
    "  --gnuplot PATH  the program (gnuplot)\n"
    "  --log FILE      CSV of latencies, a row a second\n"
    "  --ready FILE    made when the data are loaded\n";
constexpr const char* mark = "owner-gnuplot: done";

struct Options {
    std::string data;
    double nr_points = 0;
    std::chrono::milliseconds think{0};
    std::string gnuplot;
    std::string log_path;
    std::string ready_path;
};

Result<Options> parse(std::span<const char* const> arguments) {
    const auto line = CommandLine::parse(arguments, {"data", "points", "think-ms", "gnuplot", "log", "ready"});
    if (!line)
        return line.error();
    const auto data = line->required("data");
    if (!data)
        return data.error();
    const auto points = line->number("points", 0, 1, 1e9);
    if (!points)
        return points.error();
    const auto think_ms = line->number("think-ms", 500, 0, 3600000);
    if (!think_ms)
        return think_ms.error();
    return Options{*data,
                   *points,
                   std::chrono::milliseconds(static_cast<long>(*think_ms)),
                   line->text("gnuplot", "gnuplot"),
                   line->text("log", ""),
                   line->text("ready", "")};
}

Result<void> work(const Options& options) {
    watch_presence();
    auto session = GnuplotSession::start(options.gnuplot);
    if (!session)
        return session.error();
    auto recorder = InteractionRecorder::create(options.log_path);
    if (!recorder)
        return recorder.error();
    if (auto result = session->run(load_commands(options.data, options.nr_points, mark), mark); !result)
        return result;
    if (auto result = tell_ready(options.ready_path); !result)
        return result;

    for (std::uint64_t step = 0; !asked_to_end(); ++step) {
        recorder->begin();
        auto result = session->run(zoom_commands(zoom_window(step, options.nr_points), mark), mark);
        recorder->end();
        if (!result && !asked_to_end())
            return result;
        std::this_thread::sleep_for(options.think);
    }
    recorder->finish();
    return {};
}

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    return tmm::desk::run_program("owner-gnuplot", tmm::desk::usage, argc, argv, tmm::desk::parse, tmm::desk::work);
}
