// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/owner/owner_settings.hpp"

#include "tmmd/config/owner_conf.hpp"
#include "tmmd/storage/set_aside.hpp"

namespace tmm::app {

void OwnerSettings::restore(core::Tick& tick, const core::Moment& now) {
    if (!file_)
        return;
    const auto text = file_->load();
    if (text && !*text)
        return;  // the owner has never changed a setting
    decided_ = true;
    const auto settings = text ? config::parse_settings(**text, file_->name()) : Result<core::Settings>(text.error());
    if (settings) {
        tick.restore_settings(*settings, now);
        return;
    }
    tick.restore_settings(config::cautious_settings(), now);
    storage::set_aside(*file_, log_, settings.error(), "nothing is given until the owner resumes it", dry_run_);
    // Without this the next start would find no file, and give memory.
    const auto saved = save(tick, now);
    if (!saved)
        log_.warning(saved.error().message() + ", ignoring");
}

Result<void> OwnerSettings::save(const core::Tick& tick, const core::Moment& now) {
    decided_ = true;
    if (!file_ || dry_run_)
        return {};
    return file_->save(config::format_settings(tick.settings(now)));
}

}  // namespace tmm::app
