// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/read_back_pace.hpp"

#include <algorithm>

namespace tmm::core {

// In doubt somebody waits.
bool ReadBackPace::is_waiting(const std::optional<Seconds>& waited, AwakeTime now) {
    if (!waited) {
        look_.reset();
        waiting_ = true;
    } else if (!look_) {
        look_ = Look{now, *waited};
    } else if (const Seconds passed = now - look_->time; passed >= look) {
        waiting_ = *waited - look_->waited > passed * max_waited;
        look_ = Look{now, *waited};
    }
    return waiting_;
}

void ReadBackPace::learn(Seconds taken, Pages pages) {
    if (taken > max_step_time)
        step_ = std::max(step_ / 2, min_step);
    else if (taken < max_step_time / 2 && pages >= step_)
        step_ = std::min(step_ * 2, max_step_);
}

Pages ReadBackPace::step(const ReadBackSigns& signs, AwakeTime now) {
    if (!began_)
        began_ = now;
    const bool waiting = is_waiting(signs.waited, now);
    if (signs.disk_busy)
        return Pages(0);
    if (issued_)
        learn(now - issued_->time, issued_->pages);
    issued_.reset();
    if (waiting || now - *began_ < head_start || signs.room < step_)
        return Pages(0);
    return step_;
}

}  // namespace tmm::core
