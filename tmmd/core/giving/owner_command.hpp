// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerCommand: one command of the owner, as it passes from the bus to Giving. A new command is a struct here, its translation
// in bus/manager_object.cpp and its effect in Giving::apply().
#pragma once

#include <chrono>
#include <optional>
#include <variant>

#include "tmmd/core/giving/caps.hpp"

namespace tmm::core {

// Replaces a pause that is under way.
struct Pause {
    std::optional<std::chrono::nanoseconds> length;  // from now on; none: until Resume. One of 0 or less is over at once
};

// Ends a pause and changes nothing else.
struct Resume {};

// Off outlasts all pauses.
struct Switch {
    bool on = true;
};

struct ChangeCaps {
    CapsChange change;
};

using OwnerCommand = std::variant<Pause, Resume, Switch, ChangeCaps>;

}  // namespace tmm::core
