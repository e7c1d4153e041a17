// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SampleSource: where the samples of opaque memory come from, once an epoch. Implementations may need privileges and fail at any
// call; after an error they are destroyed and opened anew. Called from one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

class SampleSource {
public:
    virtual ~SampleSource() = default;

    // What happened since the last call: ends an epoch. Takes time in proportion to the number of sampled pages.
    virtual Result<core::EpochSample> sample() = 0;

    // In between, at next to no cost: only refaults since the last call of either, of those that memory could have spared. The
    // others may be left to sample(). scanned is false.
    virtual Result<core::EpochSample> poll_refaults() = 0;

    // From now on one page in 2^change times as many, as far as that can be; the next sample has other pages.
    virtual void change_rate(int change) = 0;

    // The source in one word, for programs: property Source in dbus/org.transparentmemory.Tmm1.xml.
    [[nodiscard]] virtual std::string_view id() const = 0;

    // The source and the reason for its choice, in one sentence for people.
    [[nodiscard]] virtual std::string description() const = 0;
};

}  // namespace tmm::os
