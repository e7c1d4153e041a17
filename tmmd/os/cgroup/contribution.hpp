// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Contribution: a transparent cgroup (v2) as something to look at and to steer. It keeps the directory open, so that no other can
// be slipped under it; no symbolic link is followed on the way. A cgroup that has vanished is a normal result: looking gives
// nothing, steering has nothing left to do. What its owner can make large (processes, cgroups below, names) is read within
// bounds. Called from one thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// Why tmmd froze a cgroup. Kept with the cgroup, so that a later tmmd knows what it may thaw.
enum class FreezeReason : std::uint8_t {
    hold,   // all contributions are held
    pause,  // this one is
};

// Printable ASCII, at most 64 characters, not empty.
std::string clean_name(std::string name);

// Who may steer a contribution: whom its directory belongs to, since that user may do all of it without us. If that is root: the
// one user that all its processes run as; root if there is none, or more than one. users: of its processes, nothing where that is
// not known. Pure.
uid_t owner_of(uid_t directory_owner, const std::vector<std::optional<uid_t>>& users);

// The user that a process runs as in every way, in the text of /proc/PID/status; nothing if it runs as several. Pure.
std::optional<uid_t> parse_only_user(std::string_view status);

class Contribution {
public:
    static constexpr std::size_t max_processes = 4096;

    // cgroup: below the root directory. Nothing: it has vanished. Error: a symbolic link on the way, no access.
    static Result<std::optional<Contribution>> open(const RootDir& root, const std::string& cgroup);

    [[nodiscard]] const std::string& cgroup() const { return cgroup_; }
    // The kernel's number of the cgroup; never used again until the machine starts anew.
    [[nodiscard]] std::uint64_t id() const { return id_; }
    // "maketransparent-povray-4711.scope" gives "povray"; cleaned.
    [[nodiscard]] std::string name() const;

    // Whether any process is in it or below.
    [[nodiscard]] bool is_populated() const;
    // Nothing: vanished, or no memory controller.
    [[nodiscard]] std::optional<Bytes> memory_bytes() const;
    // Of it and all below, sorted; at most max_processes of at most 256 cgroups.
    [[nodiscard]] std::vector<pid_t> processes() const;
    // As owner_of(); root also for more than 64 processes in a directory of root's.
    [[nodiscard]] uid_t owner() const;

    // Freezes it, if it is not frozen, and keeps the reason. Error: it may be frozen all the same, but a later tmmd will not
    // know.
    Result<void> freeze(FreezeReason reason);
    // Thaws it if it was us who froze it.
    Result<void> thaw();
    // The same for a daemon that ends: a pause is still to be known afterwards.
    Result<void> leave();
    // Why we froze it, or a tmmd before.
    [[nodiscard]] std::optional<FreezeReason> frozen_for() const { return frozen_for_; }

    // SIGTERM to every process. A frozen one gets it when it is thawed.
    Result<void> terminate() const;
    // SIGKILL to every process, frozen ones too.
    Result<void> kill() const;

    // cpu.weight, [1, 10000]. Nothing: vanished, or no cpu controller.
    [[nodiscard]] std::optional<unsigned> weight() const;
    // Error: EINVAL out of range; ENOTSUP no cpu controller.
    Result<void> set_weight(unsigned weight) const;

private:
    Contribution(RootDir dir, const RootDir& root, std::string cgroup, std::uint64_t id);

    [[nodiscard]] bool is_there() const;
    [[nodiscard]] Result<void> write(const std::string& file, const std::string& text) const;
    Result<void> keep_reason(std::optional<FreezeReason> reason) const;

    RootDir dir_;
    const RootDir* root_;
    std::string cgroup_;
    std::uint64_t id_;
    std::optional<FreezeReason> frozen_for_;
};

// The cgroups of the contributions, below the topmost transparent ones: the children of each transparent.slice (what
// maketransparent(1) and systemd make), and each marked cgroup as a whole. Sorted; bounded to `max`.
std::vector<std::string> find_contributions(const RootDir& root, const std::vector<std::string>& transparent_cgroups,
                                            std::size_t max);

}  // namespace tmm::os
