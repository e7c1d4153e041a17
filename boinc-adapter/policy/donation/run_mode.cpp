// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/run_mode.hpp"

#include <chrono>

namespace tmm::boinc {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The client counts whole turns, and its answer takes a while.
constexpr seconds slack{3};

}  // namespace

// A user's pause has no end, or one that is later than TMM's could be. A clock that was set back puts off the end of TMM's.
bool RunModeRule::is_ours(const ModeStatus& mode, Now now) const {
    if (!set_at_ || mode.current != RunMode::never || mode.permanent == RunMode::never || mode.delay.count() <= 0)
        return false;
    const auto until_end = set_at_->wall + stop_length - now.wall;
    return mode.delay <= stop_length + slack || std::chrono::abs(mode.delay - until_end) <= slack;
}

// A clock that was set, or a sleep, ends the mode early by the client's clock; so does a late turn.
bool RunModeRule::may_have_ended(Now now) const {
    const milliseconds elapsed = now.elapsed - set_at_->elapsed;
    const milliseconds wall = now.wall - set_at_->wall;
    return elapsed + slack >= stop_length || wall + slack >= stop_length || wall < milliseconds(0) ||
           std::chrono::abs(wall - elapsed) > slack;
}

void RunModeRule::order_stop(Now now, Orders& orders) {
    orders.stop_for = stop_length;
    set_at_ = now;
    was_seen_ = false;
}

void RunModeRule::stop(const ModeStatus& mode, Now now, Orders& orders) {
    if (user_insists_)
        return;
    if (mode.current == RunMode::never) {
        if (!is_ours(mode, now)) {
            set_at_.reset();  // the user's own pause took its place
            return;
        }
        was_seen_ = true;
        if (mode.delay < renew_below || mode.delay > stop_length + slack)
            order_stop(now, orders);
        return;
    }
    // A temporary choice of the user, "run always for an hour".
    if (mode.delay.count() > 0 && mode.current != mode.permanent) {
        user_insists_ = set_at_ && was_seen_;
        set_at_.reset();
        return;
    }
    if (set_at_ && was_seen_ && !may_have_ended(now)) {
        user_insists_ = true;
        set_at_.reset();
        return;
    }
    order_stop(now, orders);
}

void RunModeRule::run(const ModeStatus& mode, Now now, Orders& orders) {
    user_insists_ = false;
    if (is_ours(mode, now)) {
        orders.restore_mode = true;
        return;  // until the client tells that it is so
    }
    set_at_.reset();
    was_seen_ = false;
}

}  // namespace tmm::boinc
