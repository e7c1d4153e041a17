// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LogindClient: asks logind for the sessions of desktops, and again when logind signals that sessions have changed. A signal only
// makes it ask, since others can send one that looks the same. Asynchronous; called from one thread. Functions throw sdbus::Error
// if the bus is lost. For service.cpp only.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tmmd/bus/changes.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/presence_rule.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

class LogindClient {
public:
    using Then = std::function<void(const core::DesktopSessions&)>;

    static constexpr std::chrono::seconds min_interval{1};
    // After a question without an answer; twice as long after each more.
    static constexpr std::chrono::seconds first_retry{5};
    static constexpr std::chrono::seconds max_retry{60};
    static constexpr std::chrono::seconds answer_time{10};
    static constexpr std::size_t max_sessions = 64;  // of all users in turn

    // Calls then later, whenever logind has answered, but never after this object has ended.
    LogindClient(sdbus::IConnection& connection, Then then);

    // Asks if sessions have changed, or if logind has not answered. Call it at each tick.
    void update(core::AwakeTime now);

private:
    using Properties = std::map<std::string, sdbus::Variant>;

    void ask_for(const sdbus::ObjectPath& path);
    void answered();

    sdbus::IConnection& connection_;
    Then then_;
    Pace pace_{min_interval};
    Retry retry_{first_retry, max_retry};
    core::AwakeTime now_{};  // of the latest call
    bool changed_ = true;
    std::size_t open_questions_ = 0;
    core::DesktopSessions sessions_;  // of the answers so far
    std::unique_ptr<sdbus::IProxy> manager_;
    std::vector<std::unique_ptr<sdbus::IProxy>> asked_;  // of the latest questions
    std::vector<sdbus::Slot> signals_;
};

}  // namespace tmm::bus
