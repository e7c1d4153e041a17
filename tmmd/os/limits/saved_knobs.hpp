// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SavedKnobs: writes settings of cgroups (knobs), and gives each its old value back, also after a crash. Before a write a file
// has the knob's old value and the new one. A knob that holds a value of neither us nor the time before is somebody else's: it is
// left alone from then on. A knob ends with its cgroup. Called from one thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/bounds/user_budget.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/storage/atomic_file.hpp"

namespace tmm::os {

// A value for a knob. path: below the root directory, without blanks. text: exactly as the kernel shows it, a number or a word.
struct KnobValue {
    std::string path;
    std::string text;
};

class SavedKnobs {
public:
    // Below the root directory. The unit makes its directory. A reboot clears the knobs and this file alike.
    static constexpr const char* default_file = "run/tmm/knobs";

    // root must outlive it.
    explicit SavedKnobs(const RootDir& root, const std::string& file = default_file);

    // Takes over the knobs that an earlier run left, and keeps other processes away until its end. Call it before write() and
    // restore(); later calls do nothing. It makes the file's directory, unless its parent is missing. Error: EBUSY, another
    // process has the knobs; the file cannot be read; EINVAL, the file is damaged: then it is renamed to .bad, and the next call
    // succeeds, with the lines that make sense.
    Result<void> begin();
    [[nodiscard]] bool begun() const { return static_cast<bool>(lock_); }

    // Writes the values. It leaves out knobs that are somebody else's or vanished, those that refuse the value, and the last of
    // those for which the file has no room. Error: the file cannot be saved, and then no knob is written.
    Result<void> write(const std::vector<KnobValue>& values);

    // Gives all knobs their old values. The file keeps those that could not be written. Error: there is one; the others are
    // written.
    Result<void> restore();

    // Returns the value that the knob had before the first write, or has now if there was none; empty if it cannot be read.
    [[nodiscard]] std::string before(const std::string& path) const;

    // Returns the knobs that somebody else changed, sorted.
    [[nodiscard]] std::vector<std::string> theirs() const;

    // Returns all knobs that have another value than before, sorted.
    [[nodiscard]] std::vector<std::string> held() const;

    // Returns why write() left out knobs that are ours, as a message; empty: it left out none.
    [[nodiscard]] const std::string& left_out() const { return left_out_; }

private:
    struct Knob {
        std::string before;
        std::string ours;      // as of the last write
        std::string previous;  // ours before the last write, which a crash may have prevented
        bool theirs = false;
    };

    Result<void> load();
    Result<void> save() const;
    [[nodiscard]] Result<std::string> read(const std::string& path) const;
    [[nodiscard]] bool take(const KnobValue& value, UserBudget& room);
    // Returns whether the file has room for one more of its user.
    bool take_room(UserBudget& room, const std::string& path) const;

    const RootDir* root_;
    std::string lock_name_;
    UniqueFd lock_;
    storage::AtomicFile file_;
    std::map<std::string, Knob> knobs_;
    std::string left_out_;
};

}  // namespace tmm::os
