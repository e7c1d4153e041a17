// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/override_keeper.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/units.hpp"

namespace tmm::boinc {

namespace {

bool is_merged(const OverrideText& text, const OverrideText& users, const Preferences& ours) {
    const auto merged = merge_override(users, ours);
    return merged && text == *merged;
}

// The operator== would take a known absence of the file for nothing known.
bool is_same(const std::optional<OverrideText>& known, const OverrideText& text) {
    return known.has_value() && *known == text;
}

// The last one is now in force.
void add_push(std::vector<Preferences>& pushed, const Preferences& ours) {
    std::erase(pushed, ours);
    if (pushed.size() == OverrideBackup::max_pushed)
        pushed.erase(pushed.begin());
    pushed.push_back(ours);
}

}  // namespace

Result<void> OverrideKeeper::check_finished(const OverrideText& text) const {
    if (!text || is_same(known_, text))
        return {};
    auto merged = merge_override(text, {});
    if (merged && !trim(*text).empty())
        return {};
    if (!is_settled_ || !is_same(found_, text))
        return Error(EAGAIN, "somebody is writing the override of preferences");
    return merged ? Result<void>() : std::move(merged).error();
}

bool OverrideKeeper::is_ours(const OverrideText& text) const {
    return is_same(known_, text) || is_merged(text, backup_->users, backup_->pushed.back());
}

// A write in place that was cut off leaves a part of the new text, or bytes of the old one behind it.
bool OverrideKeeper::is_torn(const std::string& text) const {
    // TMM never empties a file, but it makes one.
    if (text.empty())
        return !backup_->users;
    std::vector<std::string> known;
    if (backup_->users)
        known.push_back(*backup_->users);
    for (std::size_t age = 0; age < std::min<std::size_t>(2, backup_->pushed.size()); ++age) {
        auto merged = merge_override(backup_->users, *(backup_->pushed.rbegin() + static_cast<std::ptrdiff_t>(age)));
        if (merged)
            known.push_back(*std::move(merged));
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::none_of(known.begin(), known.end(), [&](const std::string& one) { return i < one.size() && one[i] == text[i]; }))
            return false;
    }
    return true;
}

// Returns the user's text from that which is there now.
Result<OverrideText> OverrideKeeper::users_text(const OverrideText& text) const {
    const auto is_there = [&](const Preferences& ours) { return is_merged(text, backup_->users, ours); };
    if (text == backup_->users || std::any_of(backup_->pushed.rbegin(), backup_->pushed.rend(), is_there))
        return backup_->users;
    auto finished = check_finished(text);
    if (finished)
        return adopt_override(text, backup_->pushed, backup_->users);
    if (may_be_torn_ && is_torn(*text))
        return backup_->users;
    return std::move(finished).error();
}

Result<void> OverrideKeeper::write(const OverrideText& text) {
    may_be_torn_ = true;
    auto saved = store_.save(text);
    if (saved) {
        may_be_torn_ = false;
        known_ = text;
    }
    return saved;
}

Result<void> OverrideKeeper::recover() {
    auto backup = store_.load_backup();
    if (!backup)
        return std::move(backup).error();
    if (!*backup)
        return {};
    backup_ = **backup;
    told_ = backup_->told;
    return restore();
}

Result<void> OverrideKeeper::push(const Preferences& ours, const Preferences& told) {
    auto text = store_.load();
    if (!text)
        return std::move(text).error();
    OverrideBackup next;
    if (backup_) {
        // The next turn takes the change, and asks the client what it means.
        if (!is_ours(*text))
            return Error(EAGAIN, "somebody has just changed the override of preferences");
        next = *backup_;
    } else {
        auto finished = check_finished(*text);
        if (!finished)
            return finished;
        next.users = *text;
    }
    add_push(next.pushed, ours);
    next.told = told;
    auto merged = merge_override(next.users, ours);
    if (!merged)
        return std::move(merged).error();
    auto saved = store_.save_backup(next);
    if (!saved)
        return saved;
    if (!backup_)
        known_ = next.users;
    backup_ = std::move(next);
    told_ = told;
    return write(*std::move(merged));
}

std::optional<KnownPreferences> OverrideKeeper::users() const {
    if (!told_)
        return std::nullopt;
    return preferences_of(backup_ ? backup_->users : known_.value_or(OverrideText()), *told_);
}

Result<bool> OverrideKeeper::take_changes() {
    auto text = store_.load();
    if (!text)
        return std::move(text).error();
    is_settled_ = is_same(found_, *text);
    found_ = *text;
    if (backup_ && is_ours(*text))
        return false;
    if (backup_) {
        auto restored = restore();
        return restored ? Result<bool>(true) : std::move(restored).error();
    }
    auto finished = check_finished(*text);
    if (!finished)
        return std::move(finished).error();
    const bool is_change = known_ && !is_same(known_, *text);
    known_ = *std::move(text);
    return is_change;
}

Result<void> OverrideKeeper::restore() {
    if (!backup_)
        return {};
    // Somebody may have changed it a moment ago, or while no client was there.
    auto text = store_.load();
    if (!text)
        return std::move(text).error();
    auto users = users_text(*text);
    if (!users)
        return std::move(users).error();
    // If the crash comes between the two, the backup must have the user's last text. One that has it needs no room on a full
    // disk.
    if (*users != backup_->users) {
        OverrideBackup next = *backup_;
        next.users = *std::move(users);
        auto kept = store_.save_backup(next);
        if (!kept)
            return kept;
        backup_ = std::move(next);
    }
    auto saved = write(backup_->users);
    if (saved)
        saved = store_.erase_backup();
    if (saved)
        backup_.reset();
    return saved;
}

}  // namespace tmm::boinc
