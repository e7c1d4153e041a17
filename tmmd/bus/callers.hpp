// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Callers: asks the bus which user and process opened a connection. It keeps the latest answers: the bus never gives a unique
// name to a second connection, so an answer stays true. Asynchronous; called from one thread. For the sources of bus/ only.
#pragma once

#include <sys/types.h>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "tmmd/bus/quota.hpp"
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

private:
    static constexpr std::size_t max_known = 256;

    [[nodiscard]] std::optional<Caller> known(const std::string& sender);
    void remember(const Caller& caller);

    std::unique_ptr<sdbus::IProxy> bus_;
    Quota<std::string> questions_{32, 256};  // open at once, of each sender and in all
    std::list<Caller> known_;                // last used first
};

}  // namespace tmm::bus
