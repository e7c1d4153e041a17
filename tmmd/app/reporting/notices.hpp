// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Notices: finds the changes that an owner should be notified of. Pure. Not thread-safe.
#pragma once

#include <string>
#include <vector>

namespace tmm::app {

struct Notice {
    std::string kind;  // as in org.transparentmemory.Tmm1.xml
    std::string text;

    bool operator==(const Notice&) const = default;
};

// The daemon's state in short, cheap enough to read every second.
struct Condition {
    bool trouble = false;
    bool no_kernel = false;       // the trouble: the running kernel has no TMM
    bool under_pressure = false;  // contributions are held because opaque tasks wait for memory
    std::string reason;           // a sentence: for the trouble or the pressure, else for the limits
};

class Notices {
public:
    // Returns the changes since the last call. The first call compares with a daemon without trouble or pressure.
    std::vector<Notice> update(const Condition& condition);

private:
    bool trouble_ = false;
    bool pressed_ = false;
};

}  // namespace tmm::app
