// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// HeldKnobs: holds settings of cgroups: sizes of memory, and switches. A round collects all that are to be in force, and writes
// those that are worth a write; settings that it leaves out get their old values. At its end all do (SavedKnobs). An
// administrator's own setting stays a bound. Called from one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/limits/saved_knobs.hpp"

namespace tmm::os {

class HeldKnobs {
public:
    // root must outlive it.
    explicit HeldKnobs(const RootDir& root) : root_(&root), knobs_(root) {}
    HeldKnobs(HeldKnobs&&) = default;
    HeldKnobs& operator=(HeldKnobs&&) = delete;
    // Restores all settings.
    ~HeldKnobs();

    // Begins a round. Error: as of SavedKnobs::begin().
    Result<void> begin();
    // Collect a setting. path: of the knob, below the root directory. The value is at least, or at most, that of before.
    void set_at_least(const std::string& path, core::Pages pages);
    void set_at_most(const std::string& path, core::Pages pages);
    // Collects a setting that is to be 1, which is 0 or 1.
    void set_on(const std::string& path) { switched_on_.insert(path); }
    // Ends the round and writes. Error: as of SavedKnobs::write(), and nothing was in force before.
    Result<void> apply();

    // Returns whether any setting is in force.
    [[nodiscard]] bool holds_any() const { return !in_force_.empty(); }
    // Returns why some setting is not in force, as a sentence for people: it could not be written, or somebody else changed it.
    // Empty: all are.
    [[nodiscard]] std::string problem() const;

private:
    void set(const std::string& path, core::Pages pages);
    [[nodiscard]] core::Pages before(const std::string& path, core::Pages if_none) const;

    const RootDir* root_;
    SavedKnobs knobs_;
    // By path.
    std::map<std::string, core::Pages> collected_;
    std::set<std::string> switched_on_;            // collected, too
    std::map<std::string, core::Pages> in_force_;  // as of the last round
    std::string not_saved_;                        // why the last round wrote nothing
};

}  // namespace tmm::os
