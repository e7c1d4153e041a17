// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/record.hpp"

#include <unistd.h>

#include <cerrno>

namespace tmm::ctl {

Error record(const std::string& file, bool daemon_runs) {
    if (::geteuid() != 0)
        return {EPERM, "only root may look at the use of memory: sudo tmmctl record FILE"};
    // The kernel lets one process scan, and protects opaque memory without limit when that one ends.
    if (daemon_runs)
        return {EBUSY, "tmmd runs, and only one may scan: 'systemctl stop tmmd', record, and 'systemctl start tmmd' again"};
    const std::string option = "--record=" + file;
    ::execlp("tmmd", "tmmd", "--dry-run", option.c_str(), nullptr);
    if (errno == ENOENT)
        return {ENOENT, "there is no program tmmd (package tmm-daemon) in $PATH"};
    return Error::from_errno(errno, "tmmd");
}

}  // namespace tmm::ctl
