// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PolkitClient: asks polkit whether a caller may do something. In doubt the answer is no, and says why: polkit is not there, does
// not know the action, or does not answer in time. Asynchronous; called from one thread. For the sources of bus/ only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

enum class Dialogue {
    allowed,  // an administrator may be asked for a password
    none,
};

class PolkitClient {
public:
    using Then = std::function<void(Result<void>)>;

    // Without a dialogue polkit has nothing to wait for; with one, it waits for a person.
    static constexpr std::chrono::seconds answer_time{10};
    static constexpr std::chrono::seconds dialogue_time{120};

    explicit PolkitClient(sdbus::IConnection& connection);

    // Calls then later; not at all once this object is gone. sender: the caller's unique name. Error: EPERM with the reason.
    void ask(const std::string& sender, const std::string& action, Dialogue dialogue, Then then);

private:
    void check(const std::string& sender, const std::string& action, bool with_dialogue, Dialogue dialogue, Then then);
    void cancel(const std::string& cancellation);

    std::unique_ptr<sdbus::IProxy> authority_;
    std::uint64_t last_cancellation_ = 0;
};

}  // namespace tmm::bus
