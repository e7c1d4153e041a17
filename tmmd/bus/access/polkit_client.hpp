// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PolkitClient: asks polkit whether a caller may do something. The answer is also no, with the reason, if polkit does not run,
// does not know the action or does not answer in time. Asynchronous; called from one thread. For the sources of bus/ only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

// Names of actions, as in dbus/org.transparentmemory.tmm1.policy.
namespace action {
inline constexpr const char* pause = "org.transparentmemory.tmm1.pause";
inline constexpr const char* switch_giving = "org.transparentmemory.tmm1.switch";
inline constexpr const char* set_limits = "org.transparentmemory.tmm1.set-limits";
inline constexpr const char* register_contribution = "org.transparentmemory.tmm1.register";
inline constexpr const char* steer_own = "org.transparentmemory.tmm1.steer-own";
inline constexpr const char* steer_all = "org.transparentmemory.tmm1.steer-all";
inline constexpr const char* see_all = "org.transparentmemory.tmm1.see-all";
}  // namespace action

enum class Dialogue {
    allowed,  // polkit may ask an administrator for a password
    none,
};

struct PolkitAnswer {
    Result<void> verdict;    // error: EPERM with the reason
    bool challenge = false;  // denied, but a dialogue would help
    bool timeout = false;    // no answer
};

class PolkitClient {
public:
    using Then = std::function<void(const PolkitAnswer&)>;

    // polkit answers at once without a dialogue; with one, it waits for a person.
    static constexpr std::chrono::seconds answer_time{10};
    static constexpr std::chrono::seconds dialogue_time{120};

    explicit PolkitClient(sdbus::IConnection& connection);

    // Calls then later, but never after this object has ended. sender: the caller's unique name.
    void ask(const std::string& sender, const std::string& action, Dialogue dialogue, Then then);

private:
    void cancel(const std::string& cancellation);

    std::unique_ptr<sdbus::IProxy> authority_;
    std::uint64_t last_cancellation_ = 0;
};

}  // namespace tmm::bus
