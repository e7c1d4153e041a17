// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/calls/caller.hpp"

#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace tmm::caches {
namespace {

// A caller with more groups is asked for twice.
constexpr std::size_t max_usual_groups = 64;

// Sets the groups of this thread only, unlike setgroups(3).
void set_thread_groups(const std::vector<gid_t>& groups) {
    ::syscall(SYS_setgroups, groups.size(), groups.data());
}

// Empty if the caller is of another PID namespace: the kernel tells no process then.
std::vector<gid_t> groups_of_caller(fuse_req_t request) {
    std::vector<gid_t> groups(max_usual_groups);
    for (;;) {
        const int count = fuse_req_getgroups(request, static_cast<int>(groups.size()), groups.data());
        const bool fits = count <= static_cast<int>(groups.size());
        groups.resize(static_cast<std::size_t>(std::max(count, 0)));
        if (fits)
            return groups;
    }
}

}  // namespace

AsCaller::AsCaller(fuse_req_t request) : is_root_(::geteuid() == 0) {
    if (is_root_) {
        const fuse_ctx* caller = fuse_req_ctx(request);
        set_thread_groups(groups_of_caller(request));
        ::setfsgid(caller->gid);
        ::setfsuid(caller->uid);
    }
}

AsCaller::~AsCaller() {
    const int error = errno;
    if (is_root_) {
        ::setfsuid(0);
        ::setfsgid(0);
        set_thread_groups({});
    }
    errno = error;
}

}  // namespace tmm::caches
