// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AgeingPace: plans the next ageing call of the multi-gen LRU. The kernel tells pages apart that were used in the last epoch and
// in the one before. It merges all older ones, so the time between calls has to exceed the time between most uses of a page:
// - It doubles when more than one page a second was used that had been unused for longer, since their order is unknown.
// - It halves when that has not happened for long, so that the rule follows what the owner does. If it has to double again at
//   once, the next attempt comes after twice as long.
// - A call walks all page tables. It may take a share of a processor.
// Pure; not thread-safe.
#pragma once

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class AgeingPace {
public:
    static constexpr Seconds min_length{10};
    static constexpr Seconds max_length{300};  // the policy takes a longer epoch for an interrupted one
    // The policy's floor, one miss a second: fewer uses change no limit.
    static constexpr double max_old_uses_per_s = 1;
    // Epochs without such uses before the time halves: at first, and at most.
    static constexpr int min_patience = 30;
    static constexpr int max_patience = 480;

    // Shares of a processor for ageing calls, in (0, 1]: until the pace has settled, and later.
    AgeingPace(double unsettled_share, double share) : unsettled_share_(unsettled_share), share_(share) {}

    // Returns whether an epoch of that length may end.
    [[nodiscard]] bool due(Seconds length) const { return length >= planned(); }
    [[nodiscard]] Seconds planned() const;

    // Returns whether the time between calls is long enough by now, or as long as it gets. Until then the order of old pages is a
    // mere guess: most of them were never seen used.
    [[nodiscard]] bool settled() const { return settled_; }
    // Returns whether the epoch that ended last belongs to an attempt to halve the time. Then old pages that were used are old
    // only because the epochs are shorter: they are those that were unused for the shortest time.
    [[nodiscard]] bool attempts() const { return epochs_of_attempt_ > 0; }

    // An epoch ended. used_old: pages used that were unused for longer than the last two epochs. cost: processor time of the
    // calls.
    void epoch_ended(Seconds length, Pages used_old, Seconds cost);

private:
    double unsettled_share_;
    double share_;
    Seconds length_{min_length};
    Seconds cost_{0};  // smoothed
    int patience_ = min_patience;
    int quiet_ = 0;              // epochs without old uses, one after the other
    bool halved_ = false;        // the last change
    int epochs_of_attempt_ = 0;  // this one and those to come
    bool settled_ = false;
};

}  // namespace tmm::core
