// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A client that is stopped takes no order: the tasks that TMM held are suspended in its files, and it would start with them so.
#pragma once

#include <set>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Takes the suspensions of these tasks out of the files of a client that is stopped, and keeps it from starting meanwhile. To be
// called as the owner of the data directory. Errors: EBUSY, because the client runs; EPROTO for files that it does not know,
// which stay as they are; or of the files, which are whole.
Result<void> end_suspensions(const RootDir& data, const std::set<TaskId>& tasks);

}  // namespace tmm::boinc
