// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl watch for an event. Pure but for the time zone.
#pragma once

#include <cstdint>
#include <string>

#include "tmmd/ctl/client.hpp"
#include "tmmd/ctl/text/screen.hpp"

namespace tmm::ctl {

// One line. status: after the event; ignored if the daemon is gone.
std::string format_event(const Event& event, const wire::Status& status, std::uint64_t now_us, const Screen& screen);

// One object on one line, with all of status for changed and daemon-back.
std::string event_json(const Event& event, const wire::Status& status, std::uint64_t now_us);

}  // namespace tmm::ctl
