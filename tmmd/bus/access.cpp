// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/access.hpp"

#include <cerrno>
#include <utility>

namespace tmm::bus {

void Access::authorize(const Caller& caller, const std::string& action, Dialogue dialogue, PolkitClient::Then then) {
    if (caller.user == 0)
        return then({});
    auto ticket = questions_.take(caller.user);
    if (!ticket)
        return then(Error(EUSERS, "too many calls of this user wait for polkit; wait for answers first"));
    polkit_.ask(caller.sender, action, dialogue,
                [ticket, then = std::move(then)](Result<void> verdict) { then(std::move(verdict)); });
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
