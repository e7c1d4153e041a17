// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Client: the daemon as the commands see it. bus_client.hpp has the real one, tests have a fake. Calls block until the daemon has
// answered; those that change something may take minutes, while an administrator types a password. Codes of errors: ENOTCONN the
// daemon does not run (any more), ETIMEDOUT it does not answer, EPERM it denied the call; for others see the message.
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
    std::string text;     // notice: its sentence; contribution: its name, or empty if not known
};

enum class Steering { pause, resume, stop };  // of one contribution

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

    virtual Result<std::vector<wire::SoftHeap>> soft_heaps() = 0;
    virtual Result<wire::SoftShares> soft_shares() = 0;

    virtual Result<void> pause(std::chrono::seconds length) = 0;  // 0: until resume()
    virtual Result<void> resume() = 0;
    virtual Result<void> set_on(bool on) = 0;
    virtual Result<void> set_caps(const wire::CapsChange& change) = 0;
    virtual Result<void> set_soft_cap(std::uint64_t bytes) = 0;  // wire::no_limit: none
    virtual Result<void> set_soft_weight(const wire::SoftWeight& weight) = 0;

    // object: of a contribution. Code of the error: ENOENT it has ended.
    virtual Result<void> steer(const std::string& object, Steering what) = 0;

    // Waits for the next event, without a timeout. Changes in a row are one event.
    virtual Result<Event> next_event() = 0;
};

}  // namespace tmm::ctl
