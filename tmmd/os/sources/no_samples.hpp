// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// NoSamples: the source of a kernel that does not report which pages are used. The policy never learns, so opaque programs keep
// all that they have; contributions get what is free. Called from one thread.
#pragma once

#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

class NoSamples : public SampleSource {
public:
    Result<core::EpochSample> sample() override { return core::EpochSample(); }
    Result<core::EpochSample> poll_refaults() override {
        core::EpochSample nothing;
        nothing.scanned = false;
        return nothing;
    }
    bool change_rate(int) override { return false; }
    [[nodiscard]] SourceTraits traits() const override { return {"none", false}; }
    [[nodiscard]] std::string description() const override {
        return "nothing, since this kernel does not report which pages are used: the owner's programs keep all that they have";
    }
};

}  // namespace tmm::os
