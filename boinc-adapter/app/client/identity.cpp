// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/identity.hpp"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

namespace tmm::boinc {

Result<void> become_owner_of(const RootDir& directory, const char* group) {
    struct stat status {};
    if (::fstat(directory.fd(), &status) != 0)
        return Error::from_errno(errno, directory.name_of(""));
    if (::geteuid() != 0 || status.st_uid == 0)
        return {};
    std::vector<gid_t> groups{status.st_gid};
    if (const struct group* found = ::getgrnam(group))
        groups.push_back(found->gr_gid);
    // The user last: without root's rights, no other step is possible.
    if (::setgroups(groups.size(), groups.data()) != 0 || ::setresgid(status.st_gid, status.st_gid, status.st_gid) != 0 ||
        ::setresuid(status.st_uid, status.st_uid, status.st_uid) != 0)
        return Error::from_errno(errno, "becoming the owner of " + directory.name_of(""));
    return {};
}

ActingOwner::ActingOwner(const RootDir& directory) {
    struct stat status {};
    if (::fstat(directory.fd(), &status) != 0) {
        result_ = Error::from_errno(errno, directory.name_of(""));
        return;
    }
    if (::geteuid() != 0 || status.st_uid == 0)
        return;
    is_acting_ = true;
    if (::setegid(status.st_gid) != 0 || ::seteuid(status.st_uid) != 0)
        result_ = Error::from_errno(errno, "becoming the owner of " + directory.name_of(""));
}

ActingOwner::~ActingOwner() {
    // What follows must not run as somebody else.
    if (is_acting_ && (::seteuid(0) != 0 || ::setegid(0) != 0))
        std::abort();
}

}  // namespace tmm::boinc
