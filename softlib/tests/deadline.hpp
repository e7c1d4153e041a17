// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <unistd.h>

namespace soft {

/// Ends the process if a test takes longer than this: a deadlock fails at once, and not at the end of the suite's time.
class Deadline {
public:
    explicit Deadline(unsigned seconds = 60) { alarm(seconds); }
    ~Deadline() { alarm(0); }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
};

}  // namespace soft
