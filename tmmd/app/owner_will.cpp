// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/owner_will.hpp"

#include "tmmd/app/owner_settings.hpp"
#include "tmmd/os/power_supply.hpp"

namespace tmm::app {

namespace {

// A battery may be asked through slow hardware.
constexpr core::Seconds least_mains_interval{10};

}  // namespace

void OwnerWill::restore(const core::Moment& now) {
    if (!file_)
        return;
    const auto text = file_->load();
    if (text && !*text)
        return;  // nothing was ever said
    const auto will = text ? parse_will(**text, file_->name()) : Result<core::Will>(text.error());
    if (will) {
        giving_.restore(*will, now);
        return;
    }
    log_.warning(will.error().message() + "; the file is set aside, and nothing is given until the owner resumes it");
    giving_.restore(cautious_will(), now);
    if (dry_run_)
        return;
    const auto aside = file_->set_aside();
    if (!aside)
        log_.warning(aside.error().message() + ", ignoring");
    // Or the next start would find nothing, and give.
    const auto saved = save(now);
    if (!saved)
        log_.warning(saved.error().message() + ", ignoring");
}

Result<void> OwnerWill::save(const core::Moment& now) {
    if (!file_ || dry_run_)
        return {};
    return file_->save(format_will(giving_.will(now)));
}

Result<void> OwnerWill::pause(std::optional<std::chrono::nanoseconds> length, const core::Moment& now) {
    giving_.pause(length, now);
    return save(now);
}

Result<void> OwnerWill::resume(const core::Moment& now) {
    giving_.resume();
    return save(now);
}

Result<void> OwnerWill::set_on(bool on, const core::Moment& now) {
    giving_.set_on(on);
    return save(now);
}

Result<void> OwnerWill::set_caps(const core::Caps& caps, const core::Moment& now) {
    giving_.set_caps(caps);
    return save(now);
}

core::GivingDecision OwnerWill::decide(core::GivingInputs inputs, const core::Moment& now) {
    if (giving_.asks_for_idle())
        inputs.idle_for = presence_.idle_for(now.elapsed);
    if (giving_.asks_for_mains()) {
        if (!mains_read_ || now.elapsed - *mains_read_ >= least_mains_interval) {
            on_mains_ = os::read_on_mains(root_);
            mains_read_ = now.elapsed;
        }
        inputs.on_mains = on_mains_;
    }
    return giving_.step(inputs, now);
}

}  // namespace tmm::app
