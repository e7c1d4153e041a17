// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Contribution: reads and steers one transparent cgroup (v2). It keeps the directory open, so that nobody can put another in its
// place; it follows no symbolic link on the way. A cgroup that has vanished is a normal result: reading gives nothing, steering
// does nothing. It bounds its reads of all that a user can make large: processes, cgroups below, names. Called from one thread.
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

// The reason for which tmmd froze a cgroup. Kept with the cgroup, so that a later tmmd knows what it may thaw.
enum class FreezeReason : std::uint8_t {
    hold,   // all contributions are held
    pause,  // this one is paused
};

// Returns name as printable ASCII, 1 to 64 characters. Pure.
std::string clean_name(std::string name);

// Returns the user who may steer a contribution: the owner of its directory, since that user can do all of it without tmmd. If
// that is root: the one user of all its processes; root if there is none, or more than one. users: of its processes; nothing for
// an unknown one. Pure.
uid_t owner_of(uid_t directory_owner, const std::vector<std::optional<uid_t>>& users);

// Returns the one user as whom a process runs in every way; nothing if it runs as several. status: the text of /proc/PID/status.
// Pure.
std::optional<uid_t> parse_only_user(std::string_view status);

class Contribution {
public:
    static constexpr std::size_t max_processes = 4096;

    // cgroup: below the root directory. Nothing: it has vanished. Error: a symbolic link on the way, no access.
    static Result<std::optional<Contribution>> open(const RootDir& root, const std::string& cgroup);

    [[nodiscard]] const std::string& cgroup() const { return cgroup_; }
    // The kernel's number of the cgroup. The kernel uses it for no other until the machine reboots.
    [[nodiscard]] std::uint64_t id() const { return id_; }
    // The cleaned name: "maketransparent-povray-4711.scope" gives "povray".
    [[nodiscard]] std::string name() const;

    // Returns whether any process is in it or below.
    [[nodiscard]] bool is_populated() const;
    // Memory in use. Nothing: vanished, or no memory controller.
    [[nodiscard]] std::optional<Bytes> memory_bytes() const;
    // Its memory that is far, as its pager says.
    [[nodiscard]] Bytes far_bytes() const;
    // The processes in it and below, sorted; at most max_processes of at most 256 cgroups.
    [[nodiscard]] std::vector<pid_t> processes() const;
    // As of owner_of(). Also root if root has the directory and there are more than 64 processes.
    [[nodiscard]] uid_t owner() const;

    // Returns whether its user wishes that no hold freezes it: Exception::never_freeze.
    [[nodiscard]] bool is_never_held_frozen() const;

    // Freezes it, unless it is frozen, and keeps the reason with it. Error: it may be frozen, but a later tmmd will not know the
    // reason.
    Result<void> freeze(FreezeReason reason);
    // Thaws it if tmmd froze it.
    Result<void> thaw();
    // The same for a daemon that ends: it keeps the reason of a pause with the cgroup.
    Result<void> leave();
    // The reason for which this tmmd, or an earlier one, froze it.
    [[nodiscard]] std::optional<FreezeReason> frozen_for() const { return frozen_for_; }

    // Sends SIGTERM to every process. A frozen one gets it when it is thawed.
    Result<void> terminate() const;
    // Sends SIGKILL to every process, frozen ones too.
    Result<void> kill() const;

    // cpu.weight, [1, 10000]. Nothing: vanished, or no cpu controller.
    [[nodiscard]] std::optional<unsigned> weight() const;
    // Sets cpu.weight. Error: EINVAL out of range; ENOTSUP no cpu controller.
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

struct FoundContribution {
    std::string cgroup;
    uid_t user = 0;  // as user_of() says

    bool operator==(const FoundContribution&) const = default;
};

// As many contributions of a user as app/contributions lists. Of those beyond, which may be empty, no setting is read or made.
inline constexpr std::size_t max_set_per_user = 64;

// Returns the cgroups of the contributions below the topmost transparent ones, sorted. These are the children of each
// transparent.slice, made by maketransparent(1) and systemd, and each marked cgroup as a whole. At most max_per_user for each
// user, so that one user's cannot hide another's; 16 times as many for root.
std::vector<FoundContribution> find_contributions(const RootDir& root, const std::vector<std::string>& transparent_cgroups,
                                                  std::size_t max_per_user);

}  // namespace tmm::os
