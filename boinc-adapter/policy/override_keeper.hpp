// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OverrideKeeper: puts TMM's values into the user's override of preferences and brings the user's text back byte for byte, also
// after a crash at any moment. Called from one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "boinc-adapter/rpc/override.hpp"

namespace tmm::boinc {

// What an adapter must know of the one before it.
struct OverrideBackup {
    static constexpr std::size_t max_pushed = 64;

    OverrideText users;
    // TMM's values since the user's text was read, each once, at most max_pushed. The override has the last or the one before it:
    // a crash comes before or after it is written. A dialog of BOINC's manager may still show any of them, and write it back.
    std::vector<Preferences> pushed;

    bool operator==(const OverrideBackup&) const = default;
};

// The two files: the override, which the client and its user share with TMM, and TMM's backup.
class OverrideStore {
public:
    virtual ~OverrideStore() = default;

    virtual Result<OverrideText> load() = 0;
    // Without a text, it removes the file.
    virtual Result<void> save(const OverrideText& text) = 0;

    virtual Result<std::optional<OverrideBackup>> load_backup() = 0;
    // Returns when the backup is on disk: the override is written only then.
    virtual Result<void> save_backup(const OverrideBackup& backup) = 0;
    virtual Result<void> erase_backup() = 0;
};

class OverrideKeeper {
public:
    // store must outlive it.
    explicit OverrideKeeper(OverrideStore& store) : store_(store) {}

    // Brings the user's override back, if a former adapter left its own. Error: of the files; TMM must not push then.
    Result<void> recover();

    // Writes TMM's values. Error: of the files, or EPROTO for a text of the user's that is no XML; the user's is in force, or the
    // values of the last push.
    Result<void> push(const Preferences& ours);

    // Returns whether somebody else changed the override since. It has then become the user's, without TMM's values.
    Result<bool> take_changes();

    // Writes the user's text, with all that somebody else changed since.
    Result<void> restore();

    [[nodiscard]] bool has_pushed() const { return backup_.has_value(); }

private:
    OverrideStore& store_;
    std::optional<OverrideBackup> backup_;
    OverrideText written_;
};

}  // namespace tmm::boinc
