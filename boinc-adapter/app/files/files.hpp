// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files of the adapter: the client's override of preferences and password, and the adapter's own state. Used from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "boinc-adapter/discovery/client_process.hpp"
#include "boinc-adapter/policy/donation/day_account.hpp"
#include "boinc-adapter/policy/donation/override_keeper.hpp"
#include "boinc-adapter/policy/policy.hpp"
#include "tmmd/storage/atomic_file.hpp"

namespace tmm::boinc {

// The texts of the state files. Pure. Errors of the parsers: EINVAL.
std::string format_backup(const OverrideBackup& backup);
Result<OverrideBackup> parse_backup(std::string_view text);
std::string format_state(const SavedState& state);
Result<SavedState> parse_state(std::string_view text);

class Files : public OverrideStore {
public:
    // data: the client's data directory; state: the adapter's, which only it can write to.
    Files(RootDir data, RootDir state);
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    // Debian's data directory has a link to the override in /etc, in a directory that the adapter cannot write to. So it writes
    // the file in place, and neither makes nor removes a file through a link. A link stays: without a text, the file behind it
    // has no preferences then. The client can write to a file that this makes. Error: EACCES with the remedy for people.
    Result<OverrideText> load() override;
    Result<void> save(const OverrideText& text) override;

    Result<std::optional<OverrideBackup>> load_backup() override;
    Result<void> save_backup(const OverrideBackup& backup) override;
    Result<void> erase_backup() override;

    Result<SavedState> load_state() const;
    Result<void> save_state(const SavedState& state) const;
    Result<void> put_aside_state() const { return state_file_.rename_to_bad(); }

    // The account of days. Nothing: there is none. Error: EINVAL for a damaged one; put_aside_days() then keeps it for people.
    [[nodiscard]] Result<std::vector<DayOfWork>> load_days() const;
    Result<void> save_days(const std::vector<DayOfWork>& days) const;
    Result<void> put_aside_days() const { return days_file_.rename_to_bad(); }

    // Returns a mark of global_prefs.xml: the client writes there the preferences that its projects send.
    [[nodiscard]] FileMark web_preferences() const;
    // Returns a mark of client_state.xml: a client that is killed starts from it.
    [[nodiscard]] FileMark client_state() const;

    // Returns the client that works in the data directory.
    [[nodiscard]] std::optional<pid_t> find_client() const { return boinc::find_client(data_); }

    // Returns the user who owns the client's data directory.
    [[nodiscard]] Result<uid_t> data_owner() const;

    // Returns the client's password; empty: it has none. Error: EACCES if the adapter is no member of the group boinc.
    [[nodiscard]] Result<std::string> read_password() const;

private:
    Result<void> remove_override();

    RootDir data_;
    RootDir state_;
    storage::AtomicFile backup_file_;
    storage::AtomicFile state_file_;
    storage::AtomicFile days_file_;
};

}  // namespace tmm::boinc
