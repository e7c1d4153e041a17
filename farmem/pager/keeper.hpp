// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The keeper: a process that shares the pager's table of open files and does nothing while the pager lives. When the last
// descriptor of a userfaultfd is closed, the kernel answers all who wait for pages with zeros. So if the pager is killed, the
// keeper keeps them open, and shuts down the hands' sockets: each hand then ends its process. One without a hand gets SIGBUS
// for the next far page.
#pragma once

#include "base/result.hpp"

namespace tmm::far {

// Starts the keeper of this process, before it has any thread or other file than those that it was started with.
Result<void> start_keeper();

}  // namespace tmm::far
