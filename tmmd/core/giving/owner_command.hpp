// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerCommand: holds one command of the owner on its way from the bus to Giving. A new command needs a struct here, its
// translation in bus/manager_object.cpp and its effect in Giving::apply(). Plain values.
#pragma once

#include <chrono>
#include <optional>
#include <variant>

#include "tmmd/core/giving/caps.hpp"

namespace tmm::core {

// Pauses; replaces a pause that is under way.
struct Pause {
    std::optional<std::chrono::nanoseconds> length;  // from now on; none: until Resume; 0 or less: over at once
};

// Ends a pause and changes nothing else.
struct Resume {};

// Switches giving on or off. Off outlasts all pauses.
struct Switch {
    bool on = true;
};

struct ChangeCaps {
    CapsChange change;
};

using OwnerCommand = std::variant<Pause, Resume, Switch, ChangeCaps>;

}  // namespace tmm::core
