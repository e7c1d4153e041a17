// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Client: the daemon as the commands see it; bus_client.hpp is the real one, tests have a fake. Calls block until the daemon has
// answered, those that change something for minutes: an administrator may be typing a password. Codes of errors: ENOTCONN the
// daemon is not there (any more), ETIMEDOUT it does not answer, EPERM it was not allowed, others as the message says.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

struct Event {
    enum class Kind { changed, notice, contribution_added, contribution_removed, daemon_gone, daemon_back };
    Kind kind = Kind::changed;
    std::string subject;  // notice: its kind; contribution: its object
    std::string text;     // notice; contribution: its name, if the caller of format_event() knows it
};

class Client {
public:
    Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    virtual ~Client() = default;

    virtual Result<wire::Status> status() = 0;
    virtual Result<std::vector<wire::Contribution>> contributions() = 0;                       // oldest first
    virtual Result<std::vector<wire::HistoryRow>> history(const std::string& resolution) = 0;  // oldest first
    virtual Result<std::vector<wire::Decision>> decisions(std::uint32_t max) = 0;              // newest first

    virtual Result<void> pause(std::chrono::seconds span) = 0;  // 0: until resume()
    virtual Result<void> resume() = 0;
    virtual Result<void> set_on(bool on) = 0;
    virtual Result<void> set_caps(const wire::CapsChange& change) = 0;

    // Waits for as long as it takes. Changes that come together are one event.
    virtual Result<Event> next_event() = 0;
};

}  // namespace tmm::ctl
