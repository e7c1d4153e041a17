// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SampleSource: samples opaque memory once an epoch. Implementations may need privileges and fail at any call; after an error the
// daemon destroys them and opens new ones. Called from one thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

struct SourceTraits {
    std::string_view id;    // in one word, for programs: property Source in dbus/org.transparentmemory.Tmm1.xml
    bool can_learn = true;  // whether the policy can learn from the samples; if not, opaque programs keep all that they have
};

class SampleSource {
public:
    virtual ~SampleSource() = default;

    // Returns all that happened since the last call, and ends an epoch. Takes time in proportion to the number of sampled pages.
    virtual Result<core::EpochSample> sample() = 0;

    // Polls between scans, at next to no cost. Returns only refaults since the last call of either function, and only those that
    // more memory could have spared. It may leave the others to sample(). scanned is false.
    virtual Result<core::EpochSample> poll_refaults() = 0;

    // Returns whether an epoch of that length is long enough for the source. Call it at each tick.
    [[nodiscard]] virtual bool due(core::Seconds epoch) {
        static_cast<void>(epoch);
        return true;
    }

    // Begins what the next sample needs and takes long, and returns whether sample() would not wait for it. tmmd has stalls to
    // see to meanwhile. Call it at each tick from the end of the epoch until it returns true.
    [[nodiscard]] virtual bool prepare() { return true; }

    // Returns whether the next sample will fail, as far as can be seen at next to no cost. An epoch may last for hours on an idle
    // machine, and nobody would hear of it until then. Call it at each tick.
    [[nodiscard]] virtual bool has_failed() const { return false; }

    // Call it before the first of the functions above, and after each change. transparent_cgroups: the topmost, below the root
    // directory, sorted.
    virtual void follow(const std::vector<std::string>& transparent_cgroups) { static_cast<void>(transparent_cgroups); }

    // Multiplies the sampling rate by 2^change, within limits; the next sample then has other pages. Returns whether the source
    // has a sampling rate.
    virtual bool change_rate(int change) = 0;

    // Call it after each sample that was evaluated. kept: the memory that each cgroup is to keep. attended: time since the last
    // call, in which somebody was there. A source may have the kernel sort the pages of these cgroups; one that ages generations
    // itself has done so.
    virtual void keep(std::span<const core::CgroupKeeps> kept, core::Seconds attended) {
        static_cast<void>(kept);
        static_cast<void>(attended);
    }

    [[nodiscard]] virtual SourceTraits traits() const = 0;

    // The source and the reason for its choice, in one sentence for people.
    [[nodiscard]] virtual std::string description() const = 0;

    // Returns a reason why a better source is lost, or why something is not known or not done, for people; empty: there is none.
    [[nodiscard]] virtual std::string problem() const { return ""; }
};

}  // namespace tmm::os
