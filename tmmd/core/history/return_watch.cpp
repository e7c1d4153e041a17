// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/return_watch.hpp"

namespace tmm::core {

void ReturnWatch::pass(Seconds length, bool attended) {
    if (since_return_) {
        *since_return_ += length;
        if (*since_return_ >= minute)
            since_return_.reset();
    }
    if (attended && away_ >= min_break) {
        since_return_ = Seconds(0);
        begun_ = true;
    }
    away_ = attended ? Seconds(0) : away_ + length;
}

}  // namespace tmm::core
