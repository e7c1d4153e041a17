// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwitchingSource: samples with the best source that works now. If one fails, the next takes its place in the same epoch. It
// tries the better ones again every minute, and changes only to one that has given a sample. Called from one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

class SwitchingSource : public SampleSource {
public:
    using Open = std::function<Result<std::unique_ptr<SampleSource>>()>;

    // Polls between two attempts to get a better source; the daemon polls once a second.
    static constexpr int polls_per_attempt = 60;

    // best_first: at least one. Error: that of the last, if none can be opened.
    static Result<std::unique_ptr<SampleSource>> open(std::vector<Open> best_first);

    // Error: of the last source, if all fail.
    Result<core::EpochSample> sample() override;
    Result<core::EpochSample> poll_refaults() override;
    [[nodiscard]] bool due(core::Seconds epoch) override { return current_->due(epoch); }
    // One that takes the place of another waits in sample().
    [[nodiscard]] bool prepare() override { return current_->prepare(); }
    [[nodiscard]] bool has_failed() const override { return current_->has_failed(); }
    void follow(const std::vector<std::string>& transparent_cgroups) override;
    bool change_rate(int change) override { return current_->change_rate(change); }
    void keep(std::span<const core::CgroupKeeps> kept, core::Seconds attended) override { current_->keep(kept, attended); }
    [[nodiscard]] SourceTraits traits() const override { return current_->traits(); }
    [[nodiscard]] std::string description() const override { return current_->description(); }
    [[nodiscard]] std::string problem() const override { return problem_.empty() ? current_->problem() : problem_; }

private:
    explicit SwitchingSource(std::vector<Open> best_first) : best_first_(std::move(best_first)) {}
    // Returns the first sample of the best of the sources begin ... end - 1 that gives one, and makes that the current one.
    Result<core::EpochSample> sample_first(std::size_t begin, std::size_t end);
    void tell_of_loss(const Error& error);

    std::vector<Open> best_first_;
    std::size_t index_ = 0;  // of the current source
    std::unique_ptr<SampleSource> current_;
    std::vector<std::string> transparent_cgroups_;
    std::string problem_;
    std::size_t lost_index_ = 0;  // of the source that the problem is about
    int polls_ = 0;               // since the last attempt
};

}  // namespace tmm::os
