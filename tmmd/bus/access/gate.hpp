// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gate: leaves calls unanswered whose users have taken their share of unread answers, before anything else is done with them. An
// answer waits in the kernel until the bus takes it, and then in the bus until its caller does; the first all wait behind each
// other, the second take memory of the bus until it takes none of tmmd's messages. Root has no bound.
// docs/decisions/daemon.md has the reasons. Called from one thread. For service.cpp
// only.
#pragma once

#include <systemd/sd-bus.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bounds/shares.hpp"
#include "tmmd/bus/access/callers.hpp"
#include "tmmd/bus/access/owners.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

class Gate {
public:
    // connection: that of the calls. callers and owners must outlive it. Throws sdbus::Error if the bus is lost.
    Gate(sdbus::IConnection& connection, Callers& callers, Owners& owners);
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    ~Gate();

    // Handles one message. Returns false if there is none, or none may be read: answers wait in tmmd.
    bool process_one();

    // Asks again about those who had not read their answers. Call it at each tick.
    void update();

    // Returns the users whose calls stay unanswered since the last call.
    [[nodiscard]] std::set<uid_t> take_unanswered() { return std::exchange(unanswered_, {}); }

private:
    // In the kernel's count, with its overhead: three or four of the longest answers. The bus may take 2 KiB at once from each
    // connection, so under a flood these delay others by some tenths of a second.
    static constexpr std::size_t max_bytes_per_user = std::size_t{64} << 10;
    // An answer takes so much at least: the bus may have taken it before it was measured.
    static constexpr std::size_t min_bytes = 1024;
    // The connections that the bus allows.
    static constexpr std::size_t max_readers = 2048;
    // An owner's pauses beside the share. A caller who waits for answers has one.
    static constexpr std::size_t max_calls_beside = 8;
    // Calls of a sender before its user is known: a share of short answers. A program may begin with many at once.
    static constexpr std::size_t max_calls_unknown = max_bytes_per_user / min_bytes;

    struct Unknown {
        std::size_t calls = 0;
        std::size_t bytes = 0;  // of answers
    };
    struct Admitted {
        std::string sender;
        std::optional<uid_t> user;
        std::size_t unsent_bytes;  // before its answer
    };

    static int on_message(sd_bus_message* message, void* data, sd_bus_error* error);
    void see(const std::string& sender);
    [[nodiscard]] bool admit(const std::string& sender, const std::string& member);
    [[nodiscard]] bool may_have_answer(uid_t user, const std::string& sender, const std::string& member) const;
    [[nodiscard]] bool admit_unknown(const std::string& sender, const std::string& member);
    void count_answer();
    void ask(const std::vector<Shares::Reader>& readers);

    sdbus::IConnection& connection_;
    Callers& callers_;
    Owners& owners_;
    std::unique_ptr<sdbus::IProxy> bus_;
    Shares shares_{max_bytes_per_user, max_readers};
    std::map<std::string, Unknown> unknown_;  // senders whose user is asked for
    std::optional<Admitted> admitted_;        // the call that is handled now
    std::set<uid_t> unanswered_;
    sd_bus_slot* filter_ = nullptr;
};

}  // namespace tmm::bus
