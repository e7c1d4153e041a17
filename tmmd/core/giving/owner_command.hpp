// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerCommand: holds one command of the owner on its way from the bus to Giving. A new command needs a struct here, its
// translation in bus/manager_object.cpp and its effect in Giving::apply(). Plain values.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

#include "tmmd/core/giving/caps.hpp"
#include "tmmd/core/soft/soft_shares.hpp"

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

// Bounds the memory of all heaps of soft memory together; none: no bound.
struct CapSoft {
    std::optional<Bytes> max_bytes;
};

struct WeighSoft {
    uid_t user = 0;
    std::uint32_t weight = usual_soft_weight;  // in [1, max_soft_weight]
};

using OwnerCommand = std::variant<Pause, Resume, Switch, ChangeCaps, CapSoft, WeighSoft>;

}  // namespace tmm::core
