// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Serves the kernel's requests by several threads, as fuse_session_loop_mt(3) does, with bounds by user: requests of one who
// has many under way wait, and others' are served meanwhile.
#pragma once

struct fuse_session;

namespace tmm::caches {

/// Serves until the session ends: it was unmounted, or a signal asks for it. The caller has mounted it. Throws std::system_error
/// if no thread can be started. Returns 0, or the error that ended it.
int serve_by_user(fuse_session* session);

}  // namespace tmm::caches
