// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A person at a plot: looks at the whole, zooms in on a place, moves on. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace tmm::desk {

// A part [from, to] of the horizontal axis, in points.
struct Window {
    double from;
    double to;
};

// The window of the step-th interaction (from 0) over nr_points points: every eighth shows all, the others ever smaller parts at
// changing places.
Window zoom_window(std::uint64_t step, double nr_points);

// gnuplot's commands for an interaction: show the window of its data, then print `mark` on a line of its own.
std::string zoom_commands(const Window& window, const std::string& mark);

// gnuplot's commands that load nr_points points (32-bit floats) of a file and plot them, then print `mark`.
std::string load_commands(const std::string& path, double nr_points, const std::string& mark);

}  // namespace tmm::desk
