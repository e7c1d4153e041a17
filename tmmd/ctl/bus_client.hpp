// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Client on the system bus. Nothing throws out of it. Used from one thread.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "tmmd/ctl/client.hpp"
#include "tmmd/ctl/views/doctor.hpp"

namespace tmm::ctl {

// Connects without starting the daemon: an owner who has stopped it wants it stopped. Error: ENOTCONN if there is no bus or no
// daemon; the message says what to do.
Result<std::unique_ptr<Client>> connect_to_daemon();

// Collects the facts for doctor. Problems are part of the facts.
BusFacts probe_bus();

}  // namespace tmm::ctl
