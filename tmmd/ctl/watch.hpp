// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmmctl watch prints for an event. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "tmmd/ctl/client.hpp"
#include "tmmd/ctl/screen.hpp"

namespace tmm::ctl {

// One line. status: as it is after the event; not looked at when the daemon is gone.
std::string format_event(const Event& event, const wire::Status& status, std::uint64_t now_us, const Screen& screen);

// One object on one line; with all of status where there is one.
std::string event_json(const Event& event, const wire::Status& status, std::uint64_t now_us);

}  // namespace tmm::ctl
