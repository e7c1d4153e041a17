// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/owner/owner_settings.hpp"

#include "tmmd/config/owner_conf.hpp"
#include "tmmd/os/presence/power_supply.hpp"
#include "tmmd/storage/set_aside.hpp"

namespace tmm::app {

namespace {

// Bounds how often a battery's state is read, because a read may take long.
constexpr core::Seconds min_mains_interval{10};

// Of counters read for an alarm. The kernel may raise several in a second.
constexpr core::Seconds max_presence_age{1};

}  // namespace

void OwnerSettings::restore(const core::Moment& now) {
    if (!file_)
        return;
    const auto text = file_->load();
    if (text && !*text)
        return;  // the owner has never changed a setting
    decided_ = true;
    const auto settings = text ? config::parse_settings(**text, file_->name()) : Result<core::Settings>(text.error());
    if (settings) {
        giving_.restore(*settings, now);
        return;
    }
    giving_.restore(config::cautious_settings(), now);
    storage::set_aside(*file_, log_, settings.error(), "nothing is given until the owner resumes it", dry_run_);
    // Without this the next start would find no file, and give memory.
    const auto saved = save(now);
    if (!saved)
        log_.warning(saved.error().message() + ", ignoring");
}

Result<void> OwnerSettings::save(const core::Moment& now) {
    if (!file_ || dry_run_)
        return {};
    return file_->save(config::format_settings(giving_.settings(now)));
}

core::GivingDecision OwnerSettings::decide(core::GivingInputs inputs, const core::Moment& now) {
    // Whoever comes back and waits at once is to be seen at once.
    inputs.idle_for = inputs.signs.alarm ? presence_.idle_for(now.elapsed, max_presence_age) : presence_.idle_for(now.elapsed);
    if (giving_.asks_for_mains()) {
        if (!mains_read_ || now.elapsed - *mains_read_ >= min_mains_interval) {
            on_mains_ = os::read_on_mains(root_);
            mains_read_ = now.elapsed;
        }
        inputs.on_mains = on_mains_;
    }
    return giving_.step(inputs, now);
}

}  // namespace tmm::app
