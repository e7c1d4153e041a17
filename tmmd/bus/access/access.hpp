// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Access: identifies callers and asks polkit whether they may do something. It bounds the open questions, for each user and in
// all, so that a hung polkit or a flood of calls harms no other user. polkit answers at once without a dialogue: dialogues, which
// wait for a person, are counted apart, and keep nobody from a pause that needs none. Asynchronous; called from one thread. For
// the sources of bus/ only.
#pragma once

#include <functional>
#include <string>

#include "base/bounds/quota.hpp"
#include "base/bounds/turns.hpp"
#include "base/result.hpp"
#include "tmmd/bus/access/callers.hpp"
#include "tmmd/bus/access/owners.hpp"
#include "tmmd/bus/access/polkit_client.hpp"

namespace tmm::bus {

class Access {
public:
    using Then = std::function<void(Result<void>)>;

    // callers and owners must outlive it.
    Access(sdbus::IConnection& connection, Callers& callers, const Owners& owners)
        : callers_(callers), owners_(owners), polkit_(connection) {}

    // See Callers::identify().
    void identify(const std::string& sender, Callers::Then then) { callers_.identify(sender, std::move(then)); }

    // Allows root everything, and owners the pause that polkit allowed them before; asks polkit about all others. Calls then, now
    // or later. Error: EPERM, or EUSERS when too many questions are open; the message is for the caller.
    void authorize(const Caller& caller, const std::string& action, Dialogue dialogue, const Then& then);

    // Calls identify(), then authorize() with a dialogue allowed.
    void check(const std::string& sender, const std::string& action, Callers::Then then);

private:
    void ask(const Caller& caller, const std::string& action, Dialogue dialogue, Then then);
    void ask_person(const Caller& caller, const std::string& action, Then then);

    Callers& callers_;
    const Owners& owners_;
    PolkitClient polkit_;
    // The bus lets a connection wait for 128 replies: these leave room for the first questions of 32 further users.
    Turns questions_{{.max_open_per_user = 8, .max_open = 64, .max_waiting_per_sender = 15, .max_waiting_per_user = 64}};
    Quota<uid_t> dialogues_{4, 32};  // open at once, of each user and in all
};

}  // namespace tmm::bus
