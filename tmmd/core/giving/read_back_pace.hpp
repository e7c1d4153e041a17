// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReadBackPace: says when the next step of reading back may go to the disk, and how large it is. A step must not delay a page
// that a program waits for, so there is none while programs wait, or while the disk is busy. A program that begins to wait
// meanwhile waits for one step at most; steps shrink until they take 50 ms. It never asks for more than the free memory, so
// that no reclaim starts. Pure: time is an argument. Not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct ReadBackSigns {
    std::optional<Seconds>
        waited;              // time in which the owner's programs waited for memory, since any fixed moment; none: not known
    bool disk_busy = false;  // a request is under way, of whomever
    Pages room{0};           // free memory that can be used before reclaim starts
};

class ReadBackPace {
public:
    // Right after the return the disk is for the pages that the owner asks for.
    static constexpr Seconds head_start{1};
    // Programs that waited for more than this share of the time since the last look wait now.
    static constexpr double max_waited = 0.1;
    // The time between two looks at the waiting.
    static constexpr Seconds look{0.05};
    // A larger step delays the first pages that a program then asks for (docs/decisions/2026-11-24-a-return-reads-back.md).
    static constexpr Seconds max_step_time{0.05};

    // max_step: the largest step in pages, at least min_step.
    explicit ReadBackPace(Pages max_step) : max_step_(max_step), step_(max_step / 4) {}
    static constexpr Pages min_step{16};

    // Returns the pages to read now, at most; 0: none. Call it every few milliseconds.
    Pages step(const ReadBackSigns& signs, AwakeTime now);
    // A step of so many pages goes to the disk. A smaller one than step() allowed makes no larger ones follow.
    void issue(Pages pages, AwakeTime now) { issued_ = Issued{pages, now}; }

private:
    struct Issued {
        Pages pages{0};
        AwakeTime time{};
    };
    struct Look {
        AwakeTime time{};
        Seconds waited{0};
    };

    [[nodiscard]] bool is_waiting(const std::optional<Seconds>& waited, AwakeTime now);
    void learn(Seconds taken, Pages pages);

    Pages max_step_;
    Pages step_;
    std::optional<AwakeTime> began_;
    std::optional<Look> look_;
    bool waiting_ = true;           // at the last look
    std::optional<Issued> issued_;  // the step that the disk works on
};

}  // namespace tmm::core
