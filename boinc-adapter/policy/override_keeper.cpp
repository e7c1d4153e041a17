// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/override_keeper.hpp"

#include <algorithm>

namespace tmm::boinc {

namespace {

bool is_merged(const OverrideText& text, const OverrideText& users, const Preferences& ours) {
    const auto merged = merge_override(users, ours);
    return merged && text == *merged;
}

// Returns the user's text from that which is there now.
OverrideText users_text(const OverrideText& text, const OverrideBackup& backup) {
    const auto is_there = [&](const Preferences& ours) { return is_merged(text, backup.users, ours); };
    if (text == backup.users || std::any_of(backup.pushed.rbegin(), backup.pushed.rend(), is_there))
        return backup.users;
    auto adopted = adopt_override(text, backup.pushed, backup.users);
    // No XML: a crash of the machine tore TMM's own text apart.
    return adopted ? *adopted : backup.users;
}

// The last one is now in force.
void add_push(std::vector<Preferences>& pushed, const Preferences& ours) {
    std::erase(pushed, ours);
    if (pushed.size() == OverrideBackup::max_pushed)
        pushed.erase(pushed.begin());
    pushed.push_back(ours);
}

}  // namespace

Result<void> OverrideKeeper::recover() {
    auto backup = store_.load_backup();
    if (!backup)
        return std::move(backup).error();
    if (!*backup)
        return {};
    backup_ = **backup;
    return restore();
}

Result<void> OverrideKeeper::push(const Preferences& ours) {
    auto changed = take_changes();
    if (!changed)
        return std::move(changed).error();
    OverrideBackup next;
    if (backup_) {
        next = *backup_;
    } else {
        auto text = store_.load();
        if (!text)
            return std::move(text).error();
        next.users = *text;
    }
    add_push(next.pushed, ours);
    auto merged = merge_override(next.users, ours);
    if (!merged)
        return std::move(merged).error();
    auto saved = store_.save_backup(next);
    if (!saved)
        return saved;
    if (!backup_)
        written_ = next.users;
    backup_ = next;
    saved = store_.save(*merged);
    if (saved)
        written_ = *std::move(merged);
    return saved;
}

Result<bool> OverrideKeeper::take_changes() {
    if (!backup_)
        return false;
    auto text = store_.load();
    if (!text)
        return std::move(text).error();
    if (*text == written_ || is_merged(*text, backup_->users, backup_->pushed.back()))
        return false;
    auto restored = restore();
    if (!restored)
        return std::move(restored).error();
    return true;
}

Result<void> OverrideKeeper::restore() {
    if (!backup_)
        return {};
    // Somebody may have changed it a moment ago, or while no client was there.
    auto text = store_.load();
    if (!text)
        return std::move(text).error();
    backup_->users = users_text(*text, *backup_);
    // If the crash comes between the two, the backup must have the user's last text.
    auto saved = store_.save_backup(*backup_);
    if (saved)
        saved = store_.save(backup_->users);
    if (saved)
        saved = store_.erase_backup();
    if (saved)
        backup_.reset();
    return saved;
}

}  // namespace tmm::boinc
