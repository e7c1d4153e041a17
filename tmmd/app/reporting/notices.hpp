// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Notices: which changes an owner would want to be told of. Pure. Not thread-safe.
#pragma once

#include <string>
#include <vector>

namespace tmm::app {

struct Notice {
    std::string kind;  // as in org.transparentmemory.Tmm1.xml
    std::string text;

    bool operator==(const Notice&) const = default;
};

// Of the daemon, in short: for a look every second.
struct Condition {
    bool trouble = false;
    bool under_pressure = false;  // contributions stand still since opaque programs wait for memory
    std::string reason;           // for that, or for what is given
};

class Notices {
public:
    // What is new since the last look; a daemon that begins has no trouble.
    std::vector<Notice> update(const Condition& condition);

private:
    bool trouble_ = false;
    bool pressed_ = false;
};

}  // namespace tmm::app
