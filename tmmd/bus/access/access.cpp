// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/access/access.hpp"

#include <cerrno>
#include <utility>

namespace tmm::bus {

void Access::authorize(const Caller& caller, const std::string& action, Dialogue dialogue, const Then& then) {
    if (caller.user == 0 || (action == action::pause && owners_.may_pause(caller)))
        return then({});
    const bool taken = questions_.take(caller.sender, caller.user, [=, this](const std::optional<Error>& refused) {
        refused ? then(*refused) : ask(caller, action, dialogue, then);
    });
    if (!taken)
        then(Error(EUSERS, "too many calls of this user wait for polkit; wait for answers first"));
}

// First without a dialogue: the short timeout finds a hung polkit soon, and the long one is only for a person's answer.
void Access::ask(const Caller& caller, const std::string& action, Dialogue dialogue, Then then) {
    polkit_.ask(caller.sender, action, Dialogue::none, [=, this, then = std::move(then)](const PolkitAnswer& answer) {
        // A hung polkit would make each of them wait as long again.
        if (answer.timeout)
            questions_.refuse(caller.user, answer.verdict.error());
        questions_.done(caller.sender, caller.user);
        if (answer.challenge && dialogue == Dialogue::allowed)
            return ask_person(caller, action, then);
        then(answer.verdict);
    });
}

void Access::ask_person(const Caller& caller, const std::string& action, Then then) {
    auto ticket = dialogues_.take(caller.user);
    if (!ticket)
        return then(Error(EUSERS, "too many dialogues of this user wait for an answer; answer them first"));
    polkit_.ask(caller.sender, action, Dialogue::allowed,
                [ticket, then = std::move(then)](const PolkitAnswer& answer) { then(answer.verdict); });
}

void Access::check(const std::string& sender, const std::string& action, Callers::Then then) {
    identify(sender, [this, action, then = std::move(then)](Result<Caller> caller) {
        if (!caller)
            return then(std::move(caller));
        authorize(*caller, action, Dialogue::allowed, [caller = *caller, then](Result<void> verdict) {
            then(verdict ? Result<Caller>(caller) : Result<Caller>(std::move(verdict).error()));
        });
    });
}

}  // namespace tmm::bus
