// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Owners: asks polkit beforehand whether the local sessions may pause, so that a pause of the machine's owner waits for nobody.
// It asks once about each session, as of the first of its programs that calls tmmd. It asks again when polkit says that its rules
// or the sessions have changed, and when polkit starts; a later answer replaces an earlier one.
// docs/decisions/daemon.md has the reasons. Asynchronous; called from one thread. For the sources
// of bus/ only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/bus/access/callers.hpp"
#include "tmmd/bus/access/polkit_client.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

class Owners {
public:
    // Throws sdbus::Error if the bus is lost.
    explicit Owners(sdbus::IConnection& connection);

    // To be called once for each caller. Asks if its session is at a seat of this machine, and nobody has asked yet.
    void see(const Caller& caller);

    // Asks again where it has to, and forgets sessions that have ended. Call it at each tick.
    void update();

    // Returns whether the user has a session that may pause.
    [[nodiscard]] bool may_pause(uid_t user) const;

    // Returns whether polkit has said that the caller may pause: its session may, and is active still.
    [[nodiscard]] bool may_pause(const Caller& caller) const;

private:
    struct Owner {
        uid_t user = 0;
        std::string sender;
        bool may_pause = false;
        std::optional<unsigned> asked;  // changes of polkit before the question
    };

    void forget_answers();
    void ask(const std::string& session, Owner& owner);

    PolkitClient polkit_;
    std::map<std::string, Owner> owners_;  // by session
    unsigned changes_ = 0;                 // of polkit
    std::vector<sdbus::Slot> signals_;
};

}  // namespace tmm::bus
