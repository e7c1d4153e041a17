// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Callers: asks the bus which user and process opened a connection. It keeps the latest answers: the bus never gives a unique
// name to a second connection, so an answer stays true. It asks once for each sender; further calls wait for the same answer. The
// user is not known yet, so no bound is one of a user, but each sender's first call is asked about. Asynchronous; called from one
// thread. For the sources of bus/ only.
#pragma once

#include <sys/types.h>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

struct Caller {
    std::string sender;  // unique name on the bus
    uid_t user = 0;
    pid_t process = 0;  // opened the connection; may have ended since
};

class Callers {
public:
    using Then = std::function<void(Result<Caller>)>;

    explicit Callers(sdbus::IConnection& connection);

    // Calls then, now or later, but never after this object has ended. Error: EUSERS too many questions are open; EPERM the bus
    // does not know the sender, for instance because it has left.
    void identify(const std::string& sender, Then then);

    // Returns the user if it is known already.
    [[nodiscard]] std::optional<uid_t> user_of(const std::string& sender);

private:
    // The bus allows 2048 connections (256 for a user) and answers at once: only those that have left can make more.
    static constexpr std::size_t max_known = 4096;
    static constexpr std::size_t max_asked = 4096;
    // Further calls that wait, of each sender and in all.
    static constexpr std::size_t max_waiting_per_sender = 32;
    static constexpr std::size_t max_waiting = 1024;

    [[nodiscard]] const Caller* known(const std::string& sender);
    void remember(const Caller& caller);
    void ask(const std::string& sender);
    void answer(const std::string& sender, const Result<Caller>& caller);

    std::unique_ptr<sdbus::IProxy> bus_;
    std::map<std::string, std::vector<Then>> asked_;            // by sender; the first asked, the others wait
    std::size_t waiting_ = 0;                                   // without the first
    std::list<Caller> known_;                                   // last used first
    std::map<std::string, std::list<Caller>::iterator> place_;  // in known_
};

}  // namespace tmm::bus
