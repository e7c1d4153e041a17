// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/giving.hpp"

#include <algorithm>
#include <array>

#include "base/units.hpp"

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
GivingDecision nothing(GivingKind kind, Pages total, std::string reason) {
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

std::string unmet(const Caps& caps, Seconds idle_after, const GivingInputs& inputs, const Moment& now) {
    if (caps.quiet_hours && caps.quiet_hours->contains(now.local_minute))
        return "nothing is given from " + format_quiet_hours(*caps.quiet_hours);
    if (caps.only_on_mains && !inputs.on_mains)
        return "cannot tell whether the machine is on mains power; nothing is given without it";
    if (caps.only_on_mains && !*inputs.on_mains)
        return "waits for mains power";
    if (caps.only_when_idle && !inputs.idle_for)
        return "cannot tell whether anybody uses the machine; nothing is given while it is in use";
    if (caps.only_when_idle && *inputs.idle_for < idle_after)
        return "waits until nobody has used the machine for " + format_fixed(idle_after.count() / 60, 0) + " min";
    return "";
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
                          [&](const ChangeCaps& wanted) { caps_ = core::apply(caps_, wanted.change); }},
               command);
}

GivingDecision Giving::step(const GivingInputs& inputs, const Moment& now) {
    if (pause_ && pause_->until && now.elapsed >= *pause_->until)
        pause_.reset();
    if (!on_)
        return nothing(GivingKind::off, inputs.total, "turned off: nothing is given until it is turned on");
    if (pause_)
        return nothing(
            GivingKind::paused, inputs.total,
            pause_->until ? "paused for a time: nothing is given until then" : "paused: nothing is given until resumed");
    if (std::string condition = unmet_condition(inputs, now); !condition.empty())
        return nothing(GivingKind::waiting, inputs.total, std::move(condition));
    if (pressure_.step(inputs.stall, inputs.contributions, now.awake)) {
        GivingDecision under_pressure = nothing(GivingKind::waiting, inputs.total,
                                                "your programs waited for memory in " + format_fixed(pressure_.stall() * 100, 0) +
                                                    " % of a minute: contributions are frozen until that is over");
        under_pressure.under_pressure = true;
        return under_pressure;
    }
    if (swap_room_.step(inputs.total_now, inputs.contributions ? inputs.decision.opaque_wanted : Pages(0), inputs.swap_in_memory))
        return nothing(GivingKind::waiting, inputs.total,
                       "swap is kept in memory, compressed, and takes " +
                           format_bytes(to_bytes(inputs.swap_in_memory, inputs.page_bytes).count()) +
                           ": contributions are frozen, or your programs would have too little");

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
        decision.reason += "; at most " + format_bytes(to_bytes(cap, inputs.page_bytes).count()) + " may be given";
    }
    if (decision.transparent_limit == Pages(0))
        decision.kind = GivingKind::waiting;
    return decision;
}

std::string Giving::unmet_condition(const GivingInputs& inputs, const Moment& now) const {
    std::string owners = unmet(caps_, parameters_.idle_after, inputs, now);
    if (!owners.empty())
        return owners;
    const std::string administrators = unmet(parameters_.caps, parameters_.idle_after, inputs, now);
    return administrators.empty() ? "" : administrators + " (tmmd.conf)";
}

Pages Giving::max_given(const GivingInputs& inputs) const {
    return std::min(max_by(caps_, inputs), max_by(parameters_.caps, inputs));
}

Settings Giving::settings(const Moment& now) const {
    Settings settings{.on = on_, .paused = pause_.has_value(), .paused_until = {}, .pause_asked = {}, .caps = caps_};
    if (pause_ && pause_->until) {
        settings.paused_until = now.wall + std::chrono::duration_cast<std::chrono::microseconds>(*pause_->until - now.elapsed);
        settings.pause_asked = pause_->asked;
    }
    return settings;
}

void Giving::restore(const Settings& settings, const Moment& now) {
    on_ = settings.on;
    caps_ = settings.caps;
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
