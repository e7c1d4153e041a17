// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PresenceRule: decides when somebody was last at the machine, from two witnesses. Counters of input devices are exact, but miss
// some devices. Desktops see all devices, but tell only that there was no input for some minutes, and some tell nothing at all.
// docs/decisions/giving.md has the reasons. Pure: time is an argument. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// DesktopSession: a session of a desktop, as the desktop describes it to logind.
struct DesktopSession {
    bool idle = false;  // there was no input for as long as the desktop waits, typically five minutes
    bool locked = false;
};

using DesktopSessions = std::map<std::string, DesktopSession>;  // by a name that stays

class PresenceRule {
public:
    // Input moves a counter at most this long before a desktop says that it is no longer idle: the interval of reading, and the
    // time until the desktop's message is here.
    static constexpr Seconds max_message_delay{10};
    // Whoever is back goes on: if no counter moves for so long after that, counters miss a device.
    static constexpr Seconds max_counter_delay{30};

    // Somebody used a device that has a counter.
    void see_input(ElapsedTime now);

    // There is a new device, terminal or session: of a person, or of a program. It counts as presence, and tells no more.
    void see_arrival(ElapsedTime now) { last_presence_ = now; }

    // sessions: all that there are now.
    void see_sessions(const DesktopSessions& sessions, ElapsedTime now);

    // Returns the time since the last presence. Nothing: neither witness has told of people yet. The people here may use devices
    // that no counter tells of.
    std::optional<Seconds> idle_for(ElapsedTime now);

private:
    struct Known {
        DesktopSession session;
        bool tells = false;  // has been idle; the idle hint of other desktops may never change
    };

    void see_return(ElapsedTime now);
    void judge_counters(ElapsedTime now);
    [[nodiscard]] bool desktop_in_use() const;

    ElapsedTime last_presence_{};
    bool tells_of_people_ = false;
    bool counters_miss_input_ = false;
    std::optional<ElapsedTime> last_input_;     // that a counter told
    std::optional<ElapsedTime> unseen_return_;  // that no counter has told yet
    std::map<std::string, Known> sessions_;
};

}  // namespace tmm::core
