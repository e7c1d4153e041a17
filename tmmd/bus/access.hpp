// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Access: who is calling, and may they? Bounds the questions that are open, for each user and in all, so that neither a hung
// polkit nor a flood of calls costs others anything. Asynchronous; called from one thread. For the sources of bus/ only.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "tmmd/bus/callers.hpp"
#include "tmmd/bus/polkit_client.hpp"
#include "tmmd/bus/quota.hpp"

namespace tmm::bus {

// In dbus/org.transparentmemory.tmm1.policy.
namespace action {
inline constexpr const char* pause = "org.transparentmemory.tmm1.pause";
inline constexpr const char* switch_giving = "org.transparentmemory.tmm1.switch";
inline constexpr const char* set_limits = "org.transparentmemory.tmm1.set-limits";
inline constexpr const char* register_contribution = "org.transparentmemory.tmm1.register";
inline constexpr const char* steer_own = "org.transparentmemory.tmm1.steer-own";
inline constexpr const char* steer_all = "org.transparentmemory.tmm1.steer-all";
inline constexpr const char* see_all = "org.transparentmemory.tmm1.see-all";
}  // namespace action

class Access {
public:
    explicit Access(sdbus::IConnection& connection) : callers_(connection), polkit_(connection) {}

    // See Callers::identify().
    void identify(const std::string& sender, Callers::Then then) { callers_.identify(sender, std::move(then)); }

    // Root may do anything; all others as polkit says. Calls then, now or later. Error: EPERM or EUSERS, for the caller to read.
    void authorize(const Caller& caller, const std::string& action, Dialogue dialogue, PolkitClient::Then then);

    // Both in a row.
    void check(const std::string& sender, const std::string& action, Callers::Then then);

private:
    Callers callers_;
    PolkitClient polkit_;
    Quota<uid_t> questions_{16, 256};
};

}  // namespace tmm::bus
