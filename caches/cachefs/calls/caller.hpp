// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "caches/cachefs/calls/file_system.hpp"

namespace tmm::caches {

// The thread acts as the caller, where root serves several users: new files are the caller's, and a write takes away set-user-ID
// bits. The thread's file system ids and groups are its own.
class AsCaller {
public:
    explicit AsCaller(fuse_req_t request);
    ~AsCaller();
    AsCaller(const AsCaller&) = delete;
    AsCaller& operator=(const AsCaller&) = delete;

private:
    const bool is_root_;
};

}  // namespace tmm::caches
