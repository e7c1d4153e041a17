// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerSettings: keeps the owner's will in its file, and looks at what its conditions ask for. Problems are logged once. Called
// from one thread.
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
    // file: where it is kept; none: nowhere. root and log must outlive it. dry_run: save nothing.
    OwnerSettings(const RootDir& root, const Log& log, std::optional<storage::AtomicFile> file, bool dry_run)
        : root_(root), log_(log), file_(std::move(file)), dry_run_(dry_run), presence_(root) {}

    void set_parameters(const core::GivingParameters& parameters) { giving_.set_parameters(parameters); }

    // What was said before the daemon began. A file that cannot be believed is set aside, and nothing is given until the owner
    // says so.
    void restore(const core::Moment& now);

    // Takes effect with the next decide(). Error: it takes effect all the same, but could not be saved.
    Result<void> apply_command(const core::OwnerCommand& command, const core::Moment& now);

    // Of the inputs it looks up itself what only the owner's conditions ask for.
    core::GivingDecision decide(core::GivingInputs inputs, const core::Moment& now);

    [[nodiscard]] const core::Giving& giving() const { return giving_; }

private:
    Result<void> save(const core::Moment& now);

    const RootDir& root_;
    const Log& log_;
    std::optional<storage::AtomicFile> file_;
    bool dry_run_;
    core::Giving giving_;
    os::OwnerPresence presence_;
    std::optional<bool> on_mains_;
    std::optional<core::TimePoint> mains_read_;
};

}  // namespace tmm::app
