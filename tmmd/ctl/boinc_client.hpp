// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-boinc(8) on the system bus. Nothing throws out of it. Used from one thread.
#pragma once

#include "base/result.hpp"
#include "tmmd/ctl/views/boinc.hpp"

namespace tmm::ctl {

// Reads the state of tmm-boinc without starting it. Errors: ENOTCONN there is no bus, or tmm-boinc does not run: the message says
// whether it is installed and what to do; ETIMEDOUT it does not answer; EPERM the bus denies it; EIO another.
Result<Boinc> read_boinc();

}  // namespace tmm::ctl
