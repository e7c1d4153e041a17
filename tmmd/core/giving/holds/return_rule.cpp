// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/return_rule.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

constexpr std::chrono::seconds between_looks{2};
constexpr unsigned growth_parts = 512;  // of memory: the owner who takes less between two looks has what is wanted

// Returns the pages that opaque programs cannot have without evicting any.
Pages lack_of(Pages target, const MemoryUsage& usage) {
    const Pages free = saturating_sub(usage.total, usage.opaque + usage.transparent);
    return saturating_sub(target, usage.opaque + free);
}

}  // namespace

std::optional<ReturnRule::Hold> ReturnRule::begin(const ReturnInputs& inputs, AwakeTime now) const {
    const bool look = inputs.contributions && (inputs.returning || inputs.pressed) && (!not_before_ || now >= *not_before_);
    // A second request would wait for one that hangs.
    if (!look || inputs.evicting || !inputs.usage)
        return std::nullopt;
    // Those who wait need more than was learned: the margin, too.
    const Pages target = std::min(inputs.pressed ? inputs.wanted : inputs.need, inputs.usage->total);
    const Pages lack = std::min(lack_of(target, *inputs.usage), inputs.usage->transparent);
    if (lack < std::max(inputs.usage->total / parts, Pages(1)))
        return std::nullopt;
    return Hold{now, lack, target, inputs.usage->opaque, {}, {}};
}

// Returns whether the owner takes the memory, as far as this step can tell.
bool ReturnRule::is_taking(const ReturnInputs& inputs, AwakeTime now) {
    if (inputs.pressed || now - hold_->look->time < between_looks)
        return true;
    const bool grows = inputs.usage->opaque >= hold_->look->opaque + std::max(inputs.usage->total / growth_parts, Pages(1));
    hold_->look = Look{now, inputs.usage->opaque};
    return grows;
}

void ReturnRule::go_on(const ReturnInputs& inputs, AwakeTime now) {
    if (inputs.evicting)
        return;
    if (!inputs.usage)
        return end(retry, now);
    const Pages opaque = inputs.usage->opaque;
    if (!hold_->evicted) {
        hold_->evicted = now;
        hold_->look = Look{now, opaque};
        if (lack_of(hold_->target, *inputs.usage) > hold_->lack / 2)
            return end(retry, now);
    }
    if (opaque + inputs.usage->total / parts >= hold_->target || now - *hold_->evicted >= max_taking)
        return end(max_taking, now);
    // The need was too high, or another hold would find the same.
    if (!is_taking(inputs, now))
        end(opaque >= hold_->opaque + hold_->lack / 2 ? max_taking : retry, now);
}

void ReturnRule::end(std::chrono::seconds pause, AwakeTime now) {
    not_before_ = now + pause;
    hold_.reset();
}

ReturnAction ReturnRule::step(const ReturnInputs& inputs, AwakeTime now) {
    if (hold_ && inputs.evicting && now - hold_->began >= max_evicting) {
        end(retry, now);
        return {.hold = false, .evict = Pages(0), .lack = Pages(0), .gave_up = true};
    }
    if (hold_) {
        const Pages lack = hold_->lack;
        go_on(inputs, now);
        return hold_ ? ReturnAction{true, Pages(0), lack} : ReturnAction();
    }
    hold_ = begin(inputs, now);
    return hold_ ? ReturnAction{true, hold_->lack, hold_->lack} : ReturnAction();
}

}  // namespace tmm::core
