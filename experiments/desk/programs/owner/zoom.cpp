// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "zoom.hpp"

#include <cmath>

#include "base/units.hpp"

namespace tmm::desk {

Window zoom_window(std::uint64_t step, double nr_points) {
    const auto depth = static_cast<double>(step % 8);
    const double width = nr_points / std::exp2(depth);
    // Multiples of the golden ratio wander over the axis without repeating soon.
    const double place = static_cast<double>(step / 8 % 1000) * 0.6180339887498949 + 0.1 * depth;
    const double from = (nr_points - width) * (place - std::floor(place));
    return {from, from + width};
}

std::string zoom_commands(const Window& window, const std::string& mark) {
    // A new output makes gnuplot end the picture before it.
    return "set output '/dev/null'\nset xrange [" + format_fixed(window.from, 0) + ":" + format_fixed(window.to, 0) +
           "]\nrefresh\nprint '" + mark + "'\n";
}

std::string load_commands(const std::string& path, double nr_points, const std::string& mark) {
    const std::string points = format_fixed(nr_points, 0);
    return "set print '-'\nset terminal png size 800,600\nset output '/dev/null'\nset xrange [0:" + points + "]\nplot '" + path +
           "' binary array=(" + points + ") format='%float' with dots notitle\nprint '" + mark + "'\n";
}

}  // namespace tmm::desk
