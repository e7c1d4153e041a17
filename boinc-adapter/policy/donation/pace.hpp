// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pace: decides when to ask the client and tmmd again. While turns give orders, each tick is a turn. When several have given
// none, the adapter rests: it only looks at processes, which costs one wake-up, and takes a turn when they have changed, or after
// max_rest. A task that grows, one that the user resumes and one that begins show in its processes before the client measures it.
// Pure: its time comes as an argument. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmm::boinc {

// All that a look at processes tells.
struct Sight {
    struct Size {
        std::uint64_t resident_bytes = 0;
        std::uint64_t swap_bytes = 0;
    };
    std::optional<pid_t> client;
    bool is_frozen = false;                  // the client
    std::string children;                    // of the client: its tasks, as the kernel lists them
    std::vector<std::optional<Size>> sizes;  // of the tasks in memory; nothing: it has ended, or cannot be measured
};

// Returns whether the second differs enough from the first to ask the client.
bool has_changed(const Sight& before, const Sight& now);

class Pace {
public:
    static constexpr std::chrono::seconds turn_interval{2};
    static constexpr std::chrono::seconds look_interval{3};
    static constexpr std::chrono::seconds max_rest{21};
    static constexpr int min_quiet_turns = 5;
    // A task's memory moves all the time; the limit has a margin of a tenth.
    static constexpr std::uint64_t min_change_bytes = 4U << 20;
    static constexpr std::uint64_t min_change_share = 32;  // one part of so many

    // Returns whether to take a turn at this tick. is_quiet: the last turn gave no order, and no news waits. sight: of now.
    bool wants_turn(bool is_quiet, const Sight& sight, std::chrono::milliseconds now);
    // Something that no look shows has changed.
    void hurry() { quiet_turns_ = 0; }

    // Returns the time until the next tick.
    [[nodiscard]] std::chrono::seconds interval() const { return rests() ? look_interval : turn_interval; }

private:
    [[nodiscard]] bool rests() const { return quiet_turns_ >= min_quiet_turns; }

    int quiet_turns_ = 0;
    Sight at_turn_;
    std::chrono::milliseconds turned_at_{0};
};

}  // namespace tmm::boinc
