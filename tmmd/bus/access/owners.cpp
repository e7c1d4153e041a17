// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/access/owners.hpp"

#include <systemd/sd-login.h>

#include <algorithm>
#include <cstdlib>

namespace tmm::bus {

namespace {

// Takes the text that a function of libsystemd has allocated.
std::string taken(char* text) {
    std::string copy(text);
    std::free(text);
    return copy;
}

// Returns the session of the caller's process, or nothing. As polkit finds it: a process of the user's service manager belongs to
// the session on the display.
std::string session_of(const Caller& caller) {
    char* found = nullptr;
    uid_t user = 0;
    if (::sd_pid_get_session(caller.process, &found) < 0 &&
        (::sd_pid_get_owner_uid(caller.process, &user) < 0 || ::sd_uid_get_display(user, &found) < 0))
        return {};
    std::string session = taken(found);
    // The process may have ended, and another have its number.
    return ::sd_session_get_uid(session.c_str(), &user) >= 0 && user == caller.user ? session : std::string();
}

bool is_at_seat(const std::string& session) {
    char* seat = nullptr;
    return ::sd_session_get_seat(session.c_str(), &seat) >= 0 && !taken(seat).empty();
}

}  // namespace

Owners::Owners(sdbus::IConnection& connection) : polkit_(connection) {
    signals_.push_back(wire::compat::add_match(
        connection,
        "type='signal',sender='org.freedesktop.PolicyKit1',interface='org.freedesktop.PolicyKit1.Authority',member='Changed'",
        [this] { ++changes_; }));
    signals_.push_back(wire::compat::add_match(connection,
                                               "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                                               "member='NameOwnerChanged',arg0='org.freedesktop.PolicyKit1'",
                                               [this] { forget_answers(); }));
}

void Owners::see(const Caller& caller) {
    const std::string session = session_of(caller);
    if (session.empty() || !is_at_seat(session))
        return;
    Owner& owner = owners_[session];
    const bool is_new = owner.sender.empty();
    owner.user = caller.user;
    owner.sender = caller.sender;
    if (is_new)
        ask(session, owner);
}

void Owners::update() {
    std::erase_if(owners_, [](const auto& entry) { return ::sd_session_is_active(entry.first.c_str()) < 0; });
    for (auto& [session, owner] : owners_) {
        if (owner.asked != changes_)
            ask(session, owner);
    }
}

// Without polkit, only root may.
void Owners::forget_answers() {
    ++changes_;
    for (auto& [session, owner] : owners_)
        owner.may_pause = false;
}

void Owners::ask(const std::string& session, Owner& owner) {
    owner.asked = changes_;
    polkit_.ask(owner.sender, action::pause, Dialogue::none, [this, session](const PolkitAnswer& answer) {
        const auto found = owners_.find(session);
        if (found == owners_.end())
            return;
        // A polkit that hangs has not changed its mind; the next tick asks again.
        if (answer.timeout)
            found->second.asked = std::nullopt;
        else
            found->second.may_pause = answer.verdict.has_value();
    });
}

bool Owners::may_pause(uid_t user) const {
    return std::any_of(owners_.begin(), owners_.end(),
                       [&](const auto& entry) { return entry.second.user == user && entry.second.may_pause; });
}

bool Owners::may_pause(const Caller& caller) const {
    if (!may_pause(caller.user))
        return false;
    const std::string session = session_of(caller);
    const auto found = owners_.find(session);
    return found != owners_.end() && found->second.may_pause && ::sd_session_is_active(session.c_str()) > 0;
}

}  // namespace tmm::bus
