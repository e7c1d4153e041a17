// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Callers: which user and process are at the other end of a connection, asked of the bus. The answer is kept: the bus never gives
// a unique name to a second connection, so it cannot become wrong; only so many are kept, those used last. Asynchronous; called
// from one thread. For the sources of bus/ only.
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
    pid_t process = 0;  // that opened the connection; may have ended since
};

class Callers {
public:
    using Then = std::function<void(Result<Caller>)>;

    explicit Callers(sdbus::IConnection& connection);

    // Calls then, now or later; not at all once this object is gone. Error: EUSERS too many questions; EPERM the bus does not
    // know, as when the caller has left.
    void identify(const std::string& sender, Then then);

private:
    static constexpr std::size_t max_known = 256;

    [[nodiscard]] std::optional<Caller> known(const std::string& sender);
    void remember(const Caller& caller);

    std::unique_ptr<sdbus::IProxy> bus_;
    Quota<std::string> questions_{32, 256};
    std::list<Caller> known_;  // the latest used first
};

}  // namespace tmm::bus
