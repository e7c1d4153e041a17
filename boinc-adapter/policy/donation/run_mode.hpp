// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RunModeRule: stops all tasks of a client by a temporary mode, which ends by itself if TMM does not renew it. The user's own
// modes win. Pure. Not thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

class RunModeRule {
public:
    // A dead adapter leaves the client stopped for so long, at most.
    static constexpr std::chrono::seconds stop_length{120};
    static constexpr std::chrono::seconds renew_below{80};

    // Adds the order that the client needs to stop, or to run as its user wants. Call it once a turn.
    void stop(const ModeStatus& mode, Now now, Orders& orders);
    void run(const ModeStatus& mode, Now now, Orders& orders);

    // Returns whether TMM stopped the client, so that the next adapter can end that.
    [[nodiscard]] bool has_stopped() const { return set_at_.has_value(); }
    // A former adapter had stopped the client, at an unknown time.
    void adopt(Now now) { set_at_ = now; }
    // A client that starts anew has no temporary mode any more, and its user has chosen nothing.
    void client_restarted() { was_seen_ = false; }

private:
    [[nodiscard]] bool is_ours(const ModeStatus& mode, Now now) const;
    [[nodiscard]] bool may_have_ended(Now now) const;
    void order_stop(Now now, Orders& orders);

    std::optional<Now> set_at_;  // TMM's mode was set or renewed
    bool was_seen_ = false;      // the client told it since
    bool user_insists_ = false;  // the user ended TMM's mode; until run()
};

}  // namespace tmm::boinc
