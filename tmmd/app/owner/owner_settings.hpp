// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerSettings: keeps the owner's settings in a file, and reads the inputs that their conditions need. It logs each problem
// once. Called from one thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/giving/giving.hpp"
#include "tmmd/os/presence/owner_presence.hpp"
#include "tmmd/storage/atomic_file.hpp"

namespace tmm::app {

class OwnerSettings {
public:
    // file: keeps the settings; none: they end with the daemon. root and log must outlive this object. dry_run: save nothing.
    OwnerSettings(const RootDir& root, const Log& log, std::optional<storage::AtomicFile> file, bool dry_run)
        : root_(root), log_(log), file_(std::move(file)), dry_run_(dry_run), presence_(root) {}

    void set_parameters(const core::GivingParameters& parameters) { giving_.set_parameters(parameters); }

    // Loads the settings of earlier runs. A file that is damaged, or that others can write, is renamed to .bad; giving is then
    // paused until the owner resumes it.
    void restore(const core::Moment& now);

    // Takes effect with the next decide(). save() follows.
    void apply_command(const core::OwnerCommand& command, const core::Moment& now) {
        giving_.apply(command, now);
        decided_ = true;
    }

    // Waits until the settings are on disk. Error: they stay in force, but end with the daemon.
    Result<void> save(const core::Moment& now);

    // Decides as Giving does. It fills in idle_for, and on_mains if a condition asks for it.
    core::GivingDecision decide(core::GivingInputs inputs, const core::Moment& now);

    // Returns the time without presence; nothing if presence is unknown.
    std::optional<core::Seconds> idle_for(const core::Moment& now) { return presence_.idle_for(now.elapsed); }

    void see_sessions(const core::DesktopSessions& sessions, const core::Moment& now) {
        presence_.see_sessions(sessions, now.elapsed);
    }

    [[nodiscard]] const core::Giving& giving() const { return giving_; }

    // Returns whether the owner has ever given a command, also before a restart.
    [[nodiscard]] bool decided() const { return decided_; }

private:
    const RootDir& root_;
    const Log& log_;
    std::optional<storage::AtomicFile> file_;
    bool dry_run_;
    core::Giving giving_;
    os::OwnerPresence presence_;
    std::optional<bool> on_mains_;
    std::optional<core::ElapsedTime> mains_read_;
    bool decided_ = false;
};

}  // namespace tmm::app
