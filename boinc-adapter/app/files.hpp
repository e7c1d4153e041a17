// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The files of the adapter: the client's override of preferences and password, and the adapter's own state. Used from one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "boinc-adapter/policy/override_keeper.hpp"
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
    // the file in place.
    Result<OverrideText> load() override;
    Result<void> save(const OverrideText& text) override;

    Result<std::optional<OverrideBackup>> load_backup() override;
    Result<void> save_backup(const OverrideBackup& backup) override;
    Result<void> erase_backup() override;

    Result<SavedState> load_state() const;
    Result<void> save_state(const SavedState& state) const;

    // Returns the client's password; empty: it has none. Error: EACCES if the adapter is no member of the group boinc.
    [[nodiscard]] Result<std::string> read_password() const;

private:
    RootDir data_;
    RootDir state_;
    storage::AtomicFile backup_file_;
    storage::AtomicFile state_file_;
};

}  // namespace tmm::boinc
