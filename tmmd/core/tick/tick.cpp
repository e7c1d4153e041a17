// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/tick/tick.hpp"

#include <algorithm>
#include <utility>

#include "tmmd/core/soft/soft_room.hpp"

namespace tmm::core {

namespace {

// Returns the swap, or none if its counts are such as no machine can have.
SwapInMemory sane(const SwapInMemory& swap) {
    constexpr Pages max_pages(std::uint64_t{1} << 40);
    return std::max({swap.taken, swap.stored, swap.contributed}) > max_pages ? SwapInMemory() : swap;
}

}  // namespace

Tick::Tick(const TickParameters& parameters, Pages installed) : parameters_(parameters), epochs_(parameters.epochs, installed) {
    giving_.set_parameters(parameters.giving);
    renew_asks();
}

void Tick::set_parameters(const TickParameters& parameters) {
    parameters_ = parameters;
    epochs_.set_parameters(parameters.epochs);
    giving_.set_parameters(parameters.giving);
    renew_asks();
}

void Tick::restart() {
    epochs_.restart();
    wanted_.scan = true;
    wanted_.keeps.reset();
}

const Wanted& Tick::step(const Reading& reading) {
    wanted_.step.reset();
    wanted_.scanned.reset();
    wanted_.rate_change = 0;
    const Presence presence = people_.step(reading.idle_for, parameters_.giving.idle_after, reading.now.awake);
    if (presence.left)
        epochs_.note_left(reading.now.awake - std::chrono::duration_cast<AwakeTime::duration>(*presence.left));
    if (presence.returned)
        epochs_.note_returned();
    if (reading.usage) {
        const Pages soft = wanted_.memory ? wanted_.memory->soft : Pages(0);
        wanted_.memory = *reading.usage;
        wanted_.memory->soft = reading.second ? soft_pages(*reading.usage, reading.page_bytes, reading.soft) : soft;
    }
    if (reading.second && reading.usage) {
        epochs_.step(reading, presence, people_, wanted_);
        const SoftRoom room = soft_room(*wanted_.memory, reading.kept, reading.page_bytes);
        const SoftShares& shares = giving_.soft_shares();
        soft_.set_user_weights(shares.weights);
        wanted_.soft = soft_.divide(std::min(room.bytes, shares.max_bytes.value_or(room.bytes)), reading.soft);
        wanted_.soft_urgent = room.is_exceeded;
    }
    if (wanted_.step)
        latest_ = wanted_.step;
    scanned_ |= wanted_.scanned.has_value();
    renew_keeps(reading);
    wanted_.given = giving_.step(inputs_of(reading, presence), reading.now);
    renew_asks();
    return wanted_;
}

void Tick::apply(const OwnerCommand& command, const Moment& now) {
    giving_.apply(command, now);
    renew_asks();
}

void Tick::restore_settings(const Settings& settings, const Moment& now) {
    giving_.restore(settings, now);
    renew_asks();
}

void Tick::renew_asks() {
    wanted_.asks = {.mains = giving_.asks_for_mains(), .waited = giving_.asks_for_waited()};
}

// They matter once contributions have memory.
void Tick::renew_keeps(const Reading& reading) {
    const std::optional<Keeps>& before = wanted_.keeps;
    if (!scanned_ || !reading.usage || (before && reading.now.awake - before->since < keeps_period))
        return;
    if (!before && reading.usage->transparent == Pages(0))
        return;
    std::vector<CgroupKeeps> kept = policy().protected_by_cgroup();
    if (!before && kept.empty())
        return;
    scanned_ = false;
    wanted_.keeps = Keeps{reading.now.awake, std::move(kept)};
}

GivingInputs Tick::inputs_of(const Reading& reading, const Presence& presence) const {
    GivingInputs inputs;
    if (latest_) {
        inputs.decision = latest_->decision;
        inputs.total = latest_->usage.total;
    }
    inputs.page_bytes = reading.page_bytes;
    inputs.presence = presence;
    inputs.on_mains = reading.on_mains;
    inputs.stall = reading.stall;
    inputs.contributions = reading.contributions;
    inputs.signs = reading.signs;
    inputs.usage = reading.usage;
    inputs.evicting = reading.evicting;
    inputs.swap = sane(reading.swap);
    inputs.files = reading.files;
    return inputs;
}

}  // namespace tmm::core
