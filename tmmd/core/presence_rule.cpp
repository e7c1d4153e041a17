// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/presence_rule.hpp"

#include <algorithm>
#include <utility>

namespace tmm::core {

void PresenceRule::see_input(ElapsedTime now) {
    last_presence_ = now;
    last_input_ = now;
    unseen_return_.reset();
    tells_of_people_ = true;
}

// A desktop is no longer idle.
void PresenceRule::see_return(ElapsedTime now) {
    last_presence_ = now;
    const bool seen = last_input_ && now - *last_input_ <= max_message_delay;
    if (!seen && !unseen_return_)
        unseen_return_ = now;
}

void PresenceRule::judge_counters(ElapsedTime now) {
    if (!unseen_return_ || now - *unseen_return_ < max_counter_delay)
        return;
    unseen_return_.reset();
    counters_miss_input_ = true;
}

bool PresenceRule::desktop_in_use() const {
    return std::any_of(sessions_.begin(), sessions_.end(), [](const auto& one) {
        const Known& known = one.second;
        return known.tells && !known.session.idle && !known.session.locked;
    });
}

void PresenceRule::see_sessions(const DesktopSessions& sessions, ElapsedTime now) {
    judge_counters(now);
    const bool was_in_use = desktop_in_use();
    const bool told_of_people = tells_of_people_;
    std::erase_if(sessions_, [&](const auto& one) { return !sessions.contains(one.first); });
    for (const auto& [name, session] : sessions) {
        const auto [place, is_new] = sessions_.try_emplace(name, Known{session});
        Known& known = place->second;
        const DesktopSession before = std::exchange(known.session, session);
        known.tells |= session.idle;
        tells_of_people_ |= session.idle;
        // An idle session is no news of a person: logind names all sessions anew after a restart.
        if (is_new && !(told_of_people && session.idle))
            see_arrival(now);
        else if (before.idle && !session.idle)
            see_return(now);
        else if (before.locked && !session.locked)
            last_presence_ = now;  // a program can unlock, too
    }
    if (counters_miss_input_ && was_in_use)
        last_presence_ = now;
}

std::optional<Seconds> PresenceRule::idle_for(ElapsedTime now) {
    judge_counters(now);
    if (!tells_of_people_)
        return std::nullopt;
    if (counters_miss_input_ && desktop_in_use())
        return Seconds(0);
    return Seconds(now - last_presence_);
}

}  // namespace tmm::core
