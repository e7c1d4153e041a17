// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerSettings: keeps the owner's settings in a file. It logs each problem once. Called from one thread.
#pragma once

#include <optional>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "tmmd/core/tick/tick.hpp"
#include "tmmd/storage/atomic_file.hpp"

namespace tmm::app {

class OwnerSettings {
public:
    // file: keeps the settings; none: they end with the daemon. log must outlive this object. dry_run: save nothing.
    OwnerSettings(const Log& log, std::optional<storage::AtomicFile> file, bool dry_run)
        : log_(log), file_(std::move(file)), dry_run_(dry_run) {}

    // Loads the settings of earlier runs. A file that is damaged, or that others can write, is renamed to .bad; giving is then
    // paused until the owner resumes it.
    void restore(core::Tick& tick, const core::Moment& now);

    // Call it after a command of the owner. It waits until the settings are on disk. Error: they stay in force, but end with the
    // daemon.
    Result<void> save(const core::Tick& tick, const core::Moment& now);

    // Returns whether the owner has ever given a command, also before a restart.
    [[nodiscard]] bool decided() const { return decided_; }

private:
    const Log& log_;
    std::optional<storage::AtomicFile> file_;
    bool dry_run_;
    bool decided_ = false;
};

}  // namespace tmm::app
