// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/client_process.hpp"

#include <fcntl.h>

#include "base/text/proc_text.hpp"
#include "base/unique_fd.hpp"

namespace tmm::boinc {

std::optional<pid_t> find_client(const RootDir& data) {
    // The kernel ends the lock with its process: an old file tells nothing wrong.
    const UniqueFd file(::openat(data.fd(), "lockfile", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file)
        return std::nullopt;
    struct flock lock {};
    // Any user who may read the file can take a read lock, and so does `tmm-boinc --release`. A client takes a write lock.
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(file.get(), F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK || lock.l_pid <= 0)
        return std::nullopt;
    return lock.l_pid;
}

std::optional<std::string> parse_cgroup(std::string_view text) {
    constexpr std::string_view v2 = "0::";
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with("0::/"))
            return std::string(line.substr(v2.size()));
    }
    return std::nullopt;
}

bool is_frozen(const RootDir& root, pid_t pid) {
    const auto text = root.read_file("proc/" + std::to_string(pid) + "/cgroup");
    const auto cgroup = text ? parse_cgroup(*text) : std::nullopt;
    if (!cgroup)
        return false;
    const auto events = root.read_file("sys/fs/cgroup" + *cgroup + "/cgroup.events");
    const auto frozen = events ? parse_stat(*events, "frozen") : Result<std::uint64_t>(events.error());
    return frozen && *frozen == 1;
}

}  // namespace tmm::boinc
