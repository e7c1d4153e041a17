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
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// Why tmmd froze a cgroup. Kept with the cgroup, so that a later tmmd knows what it may thaw.
enum class FreezeReason : std::uint8_t {
    hold,   // all contributions are held
    pause,  // this one is
};

class Contribution {
public:
    static constexpr std::size_t most_processes = 4096;

    // cgroup: below the root directory. Nothing: it has vanished. Error: a symbolic link or another file system on the way, or
    // no access.
    static Result<std::optional<Contribution>> open(const RootDir& root, const std::string& cgroup);

    [[nodiscard]] const std::string& cgroup() const { return cgroup_; }
    // The kernel's number of the cgroup; never used again until the machine starts anew.
    [[nodiscard]] std::uint64_t id() const { return id_; }
    // "maketransparent-povray-4711.scope" gives "povray". Printable ASCII, at most 64 characters, not empty.
    [[nodiscard]] std::string name() const;

    // Whether any process is in it or below.
    [[nodiscard]] bool is_populated() const;
    // Nothing: vanished, or no memory controller.
    [[nodiscard]] std::optional<std::uint64_t> memory_bytes() const;
    // Of it and all below, sorted; at most most_processes of at most 256 cgroups.
    [[nodiscard]] std::vector<pid_t> processes() const;
    // Who may steer it: whom the directory belongs to, since that user may do all of it without us. A directory of root's: the
    // one user that all its processes belong to; root if there is none or more than one.
    [[nodiscard]] uid_t owner() const;

    // Freezes it for a reason, or for another one than before.
    Result<void> freeze(FreezeReason reason) const;
    // Thaws it, if we have frozen it and nobody else did.
    Result<void> thaw() const;
    // Thaws it, but keeps the reason: for a daemon that ends.
    Result<void> leave() const;
    // Why we froze it.
    [[nodiscard]] std::optional<FreezeReason> frozen_for() const;

    // SIGTERM to every process. A frozen one gets it when it is thawed.
    Result<void> terminate() const;
    // SIGKILL to every process, frozen ones too.
    Result<void> kill() const;

    // cpu.weight, [1, 10000]. Nothing: vanished, or no cpu controller.
    [[nodiscard]] std::optional<unsigned> weight() const;
    // Error: EINVAL out of range; ENOTSUP no cpu controller.
    Result<void> set_weight(unsigned weight) const;

private:
    Contribution(RootDir dir, const RootDir& root, std::string cgroup, std::uint64_t id, uid_t directory_owner)
        : dir_(std::move(dir)), root_(&root), cgroup_(std::move(cgroup)), id_(id), directory_owner_(directory_owner) {}

    [[nodiscard]] Result<void> write(const std::string& file, const std::string& text) const;
    [[nodiscard]] Result<void> signal_all(int signal) const;

    RootDir dir_;
    const RootDir* root_;
    std::string cgroup_;
    std::uint64_t id_;
    uid_t directory_owner_;
};

// The cgroups of the contributions, below the topmost transparent ones: the children of each transparent.slice (what
// maketransparent(1) and systemd make), and each marked cgroup as a whole. Sorted; bounded to `most`.
std::vector<std::string> find_contributions(const RootDir& root, const std::vector<std::string>& transparent_cgroups,
                                            std::size_t most);

}  // namespace tmm::os
