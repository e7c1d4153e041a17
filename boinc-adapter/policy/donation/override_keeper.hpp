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
    Preferences told{};  // the user's own, as the client told them at the last push

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

// The client and editors empty the file before they fill it. So a text that is empty or no XML may be half of another one: the
// keeper writes nothing then. An empty one that two turns have found is the user's. One that is no XML stays as it is.
// Errors of all functions: of the files; EAGAIN for a text that somebody may still be writing; EPROTO or EFBIG for one that is no
// XML. The override is as it was then, unless its file could not be written.
class OverrideKeeper {
public:
    // store must outlive it.
    explicit OverrideKeeper(OverrideStore& store) : store_(store) {}

    // Brings the user's override back, if a former adapter left its own. After an error, TMM must not push.
    Result<void> recover();

    // Writes TMM's values. told: the user's own, as the client told them. Error: also EAGAIN if somebody changed the override
    // since take_changes().
    Result<void> push(const Preferences& ours, const Preferences& told);

    // Call it once a turn. Returns whether somebody else changed the override since the last push, or without one since the last
    // call. It is then the user's, without TMM's values. After an error, TMM must not push in this turn.
    Result<bool> take_changes();

    // Writes the user's text, with all that somebody else changed since.
    Result<void> restore();

    [[nodiscard]] bool has_pushed() const { return backup_.has_value(); }
    // Returns the user's own preferences by their text, and as a client told them at the last push, by a former adapter too,
    // where the text has none; none: there was no push. Call it after take_changes().
    [[nodiscard]] std::optional<KnownPreferences> users() const;

private:
    [[nodiscard]] Result<void> check_finished(const OverrideText& text) const;
    [[nodiscard]] bool is_ours(const OverrideText& text) const;
    [[nodiscard]] bool is_torn(const std::string& text) const;
    [[nodiscard]] Result<OverrideText> users_text(const OverrideText& text) const;
    Result<void> write(const OverrideText& text);

    OverrideStore& store_;
    std::optional<OverrideBackup> backup_;
    std::optional<Preferences> told_;    // at the last push
    std::optional<OverrideText> known_;  // TMM wrote it last, or found it last
    bool may_be_torn_ = true;            // a write was cut off, perhaps a former adapter's
    std::optional<OverrideText> found_;  // by this turn
    bool is_settled_ = false;            // the turn before it found the same
};

}  // namespace tmm::boinc
