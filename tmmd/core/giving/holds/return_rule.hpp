// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReturnRule: has memory of contributions evicted in one request when the owner needs it back. It looks in the first minute after
// a break, and while somebody is there and opaque tasks wait for memory. If opaque programs lack memory, contributions stand
// still: a running one would read back what it loses. They go on when the owner has taken the memory, or takes no more, or
// the request takes more than a minute. If nothing is lacking, nothing happens. Pure: time is an argument. Not thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct ReturnInputs {
    bool returning = false;            // within the first minute after a break
    bool pressed = false;              // somebody is there, and contributions are frozen because opaque tasks wait
    bool contributions = false;        // whether there are any
    bool evicting = false;             // a request is under way; also one that was withdrawn, until the kernel is done with it
    std::optional<MemoryUsage> usage;  // now; none: not known
    // Of the latest decision; 0: not known.
    Pages need{0};
    Pages wanted{0};  // the need with the margin
};

struct ReturnAction {
    bool hold = false;  // contributions are to be frozen
    Pages evict{0};     // only in the step in which the request is to be made
    Pages lack{0};      // during a hold: what opaque programs lacked when it began
    // The hold ended though its request is under way, by max_evicting; only in the step that ends it.
    bool gave_up = false;

    bool operator==(const ReturnAction&) const = default;
};

class ReturnRule {
public:
    // Less than 1/64 of memory is not worth a hold: reclaim finds that much at once.
    static constexpr unsigned parts = 64;
    // The owner has at most this long to take the memory that was evicted. Contributions would take it again.
    static constexpr std::chrono::seconds max_taking{15};
    // A request that takes longer than the return is withdrawn, and contributions go on: its swap hangs, or brings so little that
    // a hold does not pay. A write to a device that hangs never ends.
    static constexpr std::chrono::seconds max_evicting{60};
    // After a request that brought less than half, since swap is full, for example, or that was withdrawn. Also if the owner took
    // less than half.
    static constexpr std::chrono::seconds retry{300};

    ReturnAction step(const ReturnInputs& inputs, AwakeTime now);

private:
    struct Look {
        AwakeTime time{};
        Pages opaque{0};
    };
    struct Hold {
        AwakeTime began{};
        Pages lack{0};
        Pages target{0};  // opaque pages at which nothing is lacking
        Pages opaque{0};  // when it began
        std::optional<AwakeTime> evicted;
        std::optional<Look> look;  // since then
    };

    void go_on(const ReturnInputs& inputs, AwakeTime now);
    [[nodiscard]] bool is_taking(const ReturnInputs& inputs, AwakeTime now);
    void end(std::chrono::seconds pause, AwakeTime now);
    [[nodiscard]] std::optional<Hold> begin(const ReturnInputs& inputs, AwakeTime now) const;

    std::optional<Hold> hold_;
    std::optional<AwakeTime> not_before_;  // the next hold
};

}  // namespace tmm::core
