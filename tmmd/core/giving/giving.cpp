// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/giving.hpp"

#include <algorithm>
#include <array>

namespace tmm::core {

namespace {

template <typename... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
// clang 14 needs it.
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// Returns a decision that does not limit the owner's memory; contributions lose theirs first.
GivingDecision nothing(GivingKind kind, Pages total, Reason reason) {
    const bool asked_for = kind == GivingKind::paused || kind == GivingKind::off;
    return {.kind = kind,
            .hold = asked_for ? Hold::evict : Hold::freeze,
            .opaque_limit = total,
            .transparent_limit = Pages(0),
            .under_pressure = false,
            .reason = std::move(reason)};
}

// Returns the maximum by these caps; never more than all memory.
Pages max_by(const Caps& caps, const GivingInputs& inputs) {
    Pages max = inputs.total;
    if (caps.max_bytes)
        max = std::min(max, to_pages(*caps.max_bytes, inputs.page_bytes));
    if (caps.max_percent)
        max = std::min(
            max, Pages(static_cast<std::uint64_t>(std::clamp(*caps.max_percent, 0.0, 100.0) / 100 * inputs.total.as_double())));
    return max;
}

Reason reason_of(ReasonCode code) {
    Reason reason;
    reason.code = code;
    return reason;
}

std::optional<Reason> unmet(const Caps& caps, Seconds idle_after, const GivingInputs& inputs, const Moment& now) {
    if (caps.quiet_hours && caps.quiet_hours->contains(now.local_minute)) {
        Reason reason = reason_of(ReasonCode::quiet_hours);
        reason.quiet_hours = format_quiet_hours(*caps.quiet_hours);
        return reason;
    }
    if (caps.only_on_mains && !inputs.on_mains.value_or(false))
        return reason_of(inputs.on_mains ? ReasonCode::on_battery : ReasonCode::mains_unknown);
    if (caps.only_when_idle && !inputs.presence.idle_for)
        return reason_of(ReasonCode::presence_unknown);
    if (caps.only_when_idle && *inputs.presence.idle_for < idle_after) {
        Reason reason = reason_of(ReasonCode::in_use);
        reason.idle_after = idle_after;
        return reason;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name_of(GivingKind kind) {
    constexpr std::array<std::string_view, 4> names{"giving", "waiting", "paused", "off"};
    return names[static_cast<std::size_t>(kind)];
}

void Giving::start_pause(std::optional<std::chrono::nanoseconds> length, const Moment& now) {
    pause_.emplace();
    if (!length)
        return;
    pause_->asked = std::clamp<std::chrono::nanoseconds>(*length, std::chrono::nanoseconds(0), max_pause);
    pause_->until = now.elapsed + pause_->asked;
}

void Giving::apply(const OwnerCommand& command, const Moment& now) {
    std::visit(Overloaded{[&](const Pause& pause) { start_pause(pause.length, now); }, [&](const Resume&) { pause_.reset(); },
                          [&](const Switch& wanted) { on_ = wanted.on; },
                          [&](const ChangeCaps& wanted) { caps_ = core::apply(caps_, wanted.change); },
                          [&](const CapSoft& wanted) { soft_.max_bytes = wanted.max_bytes; },
                          [&](const WeighSoft& wanted) { weigh(soft_, wanted.user, wanted.weight); }},
               command);
}

// Both rules see each step, or they would take old times for new ones.
Giving::Stall Giving::step_pressure(const GivingInputs& inputs, const Moment& now) {
    // In doubt somebody is there.
    const bool attended = inputs.presence.attended.value_or(true);
    const bool may_hold = budget_.step(attended, held_for_pressure_, now.awake);
    const auto max_stall = parameters_.pressure.max_stall;
    const bool lasts = pressure_.step(inputs.stall, inputs.contributions, may_hold, now.awake);
    const bool begins = clamp_.step(inputs.signs, StallClamp::share_of(max_stall.value_or(1)),
                                    may_hold && max_stall && inputs.contributions, now.awake);
    held_for_pressure_ = lasts || begins;
    if (lasts)
        return Stall::lasts;
    return begins ? Stall::begins : Stall::none;
}

ReturnAction Giving::step_return(const GivingInputs& inputs, Stall stall, const Moment& now) {
    return return_.step({.returning = inputs.presence.idle_for && inputs.presence.returning,
                         .pressed = stall != Stall::none && inputs.presence.attended.value_or(true),
                         .contributions = inputs.contributions,
                         .evicting = inputs.evicting,
                         .usage = inputs.usage,
                         .need = inputs.decision.reason.need,
                         .wanted = inputs.decision.opaque_wanted},
                        now.awake);
}

// Returns why the owner wants nothing to be given; nothing if something may be.
std::optional<GivingDecision> Giving::forbidden(const GivingInputs& inputs, const Moment& now) {
    if (pause_ && pause_->until && now.elapsed >= *pause_->until)
        pause_.reset();
    if (!on_)
        return nothing(GivingKind::off, inputs.total, reason_of(ReasonCode::off));
    if (pause_)
        return nothing(GivingKind::paused, inputs.total,
                       reason_of(pause_->until ? ReasonCode::paused_for_a_time : ReasonCode::paused));
    if (auto condition = unmet_condition(inputs, now))
        return nothing(GivingKind::waiting, inputs.total, *std::move(condition));
    return std::nullopt;
}

GivingDecision Giving::step(const GivingInputs& inputs, const Moment& now) {
    GivingDecision decision = decide(inputs, now);
    // Without swap in memory nobody asks for the usage.
    const MemoryUsage usage = inputs.usage.value_or(MemoryUsage{.total = inputs.total});
    if (inputs.swap.taken > Pages(0))
        decision.swap_growth = SwapRoom::growth(usage, decision.transparent_limit, inputs.swap);
    decision.evicting_frees = !SwapRoom::is_futile(usage.total, inputs.swap);
    return decision;
}

GivingDecision Giving::decide(const GivingInputs& inputs, const Moment& now) {
    if (auto decision = forbidden(inputs, now)) {
        // As if there were no contribution: then it is not for pressure that they stand still.
        GivingInputs without = inputs;
        without.contributions = false;
        static_cast<void>(step_pressure(without, now));
        return *std::move(decision);
    }
    const Stall stall = step_pressure(inputs, now);
    const ReturnAction owner = step_return(inputs, stall, now);
    if (stall == Stall::lasts) {
        GivingDecision under_pressure = nothing(GivingKind::waiting, inputs.total, reason_of(ReasonCode::pressure));
        under_pressure.reason.stall = pressure_.stall();
        under_pressure.under_pressure = true;
        under_pressure.evict = owner.evict;
        under_pressure.evict_gave_up = owner.gave_up;
        return under_pressure;
    }
    if (swap_room_.step(inputs.usage.value_or(MemoryUsage()), inputs.contributions ? inputs.decision.opaque_wanted : Pages(0),
                        inputs.swap)) {
        Reason reason = reason_of(ReasonCode::compressed_swap);
        reason.total = inputs.total;
        reason.swap = inputs.swap.taken;
        return nothing(GivingKind::waiting, inputs.total, std::move(reason));
    }

    const Decision& policy = inputs.decision;
    GivingDecision decision{.kind = GivingKind::giving,
                            .hold = Hold::none,
                            .opaque_limit = policy.opaque_limit,
                            .transparent_limit = policy.transparent_limit,
                            .under_pressure = false,
                            .reason = policy.reason};
    if (const Pages cap = max_given(inputs); cap < policy.transparent_limit) {
        decision.transparent_limit = cap;
        decision.opaque_limit = inputs.total - cap;
        decision.reason.opaque_limit = decision.opaque_limit;
        decision.reason.allowed = cap;
        decision.reason.cap = cap;
    }
    if (inputs.usage) {
        const Pages most = SwapRoom::most(*inputs.usage, policy.opaque_limit, inputs.files, inputs.swap);
        decision.transparent_limit = std::min(decision.transparent_limit, most);
        decision.reason.allowed = std::min(decision.reason.allowed, most);
    }
    if (decision.transparent_limit == Pages(0))
        decision.kind = GivingKind::waiting;
    // The policy's limits stay: they follow growth, and a second is too short to set others.
    if (stall == Stall::begins) {
        decision.kind = GivingKind::waiting;
        decision.hold = Hold::freeze;
        decision.reason = reason_of(ReasonCode::pressure);
        decision.reason.for_a_moment = true;
    } else if (owner.hold) {
        decision.kind = GivingKind::waiting;
        decision.hold = Hold::freeze;
        decision.reason = reason_of(ReasonCode::lack);
        decision.reason.total = inputs.total;
        decision.reason.lack = owner.lack;
    }
    decision.evict = owner.evict;
    decision.evict_gave_up = owner.gave_up;
    return decision;
}

std::optional<Reason> Giving::unmet_condition(const GivingInputs& inputs, const Moment& now) const {
    auto owners = unmet(caps_, parameters_.idle_after, inputs, now);
    if (owners)
        return owners;
    auto administrators = unmet(parameters_.caps, parameters_.idle_after, inputs, now);
    if (administrators)
        administrators->by_administrator = true;
    return administrators;
}

Pages Giving::max_given(const GivingInputs& inputs) const {
    return std::min(max_by(caps_, inputs), max_by(parameters_.caps, inputs));
}

Settings Giving::settings(const Moment& now) const {
    Settings settings{
        .on = on_, .paused = pause_.has_value(), .paused_until = {}, .pause_asked = {}, .caps = caps_, .soft = soft_};
    if (pause_ && pause_->until) {
        settings.paused_until = now.wall + std::chrono::duration_cast<std::chrono::microseconds>(*pause_->until - now.elapsed);
        settings.pause_asked = pause_->asked;
    }
    return settings;
}

void Giving::restore(const Settings& settings, const Moment& now) {
    on_ = settings.on;
    caps_ = settings.caps;
    soft_ = settings.soft;
    pause_.reset();
    if (!settings.paused)
        return;
    if (!settings.paused_until)
        return start_pause(std::nullopt, now);
    // If the clock was set back in between, the pause must still not exceed its length.
    const std::chrono::nanoseconds asked = std::min<std::chrono::nanoseconds>(settings.pause_asked, max_pause);
    const auto microseconds_left =
        std::min(*settings.paused_until - now.wall, std::chrono::duration_cast<std::chrono::microseconds>(asked));
    if (microseconds_left <= microseconds_left.zero())
        return;
    start_pause(microseconds_left, now);
    pause_->asked = asked;
}

}  // namespace tmm::core
