// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A client that is stopped takes no order: the tasks that TMM held are suspended in its files, and it would start with them so.
#pragma once

#include <set>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Takes the suspensions of these tasks out of the files of a client that is stopped, and keeps it from starting meanwhile. To be
// called as the owner of the data directory. Errors: EBUSY, because the client runs; EPROTO for files that it does not know,
// which stay as they are; or of the files, which are whole.
Result<void> end_suspensions(const RootDir& data, const std::set<TaskId>& tasks);

// Does so for the tasks that a former adapter held, and forgets them: from then on, a suspension is the user's. Root does each
// part as the owner of its directory. A client that runs keeps its files, and the next adapter or --restore does the rest.
Result<void> release(const RootDir& data, const RootDir& state, const Log& log);

}  // namespace tmm::boinc
