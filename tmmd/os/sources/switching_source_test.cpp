// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/switching_source.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

namespace tmm::os {
namespace {

// State of a fake source, which outlives it.
struct Kernel {
    int opened = 0;
    int open_error = 0;
    int sample_error = 0;
    int samples = 0;
    int rate = 0;
    bool is_due = true;
    bool can_learn = true;
    bool has_failed = false;
    std::vector<std::string> cgroups;
};

class FakeSource : public SampleSource {
public:
    FakeSource(Kernel& kernel, std::string_view id) : kernel_(kernel), id_(id) {}
    Result<core::EpochSample> sample() override {
        if (kernel_.sample_error != 0)
            return Error(kernel_.sample_error, std::string(id_) + " broke");
        ++kernel_.samples;
        core::EpochSample sample;
        if (std::exchange(first_, false))
            sample.referenced.push_back({});  // all that is resident
        return sample;
    }
    Result<core::EpochSample> poll_refaults() override { return core::EpochSample(); }
    [[nodiscard]] bool due(core::Seconds) override { return kernel_.is_due; }
    [[nodiscard]] bool has_failed() const override { return kernel_.has_failed; }
    void follow(const std::vector<std::string>& cgroups) override { kernel_.cgroups = cgroups; }
    bool change_rate(int change) override {
        kernel_.rate += change;
        return true;
    }
    [[nodiscard]] SourceTraits traits() const override { return {id_, kernel_.can_learn}; }
    [[nodiscard]] std::string description() const override { return std::string(id_) + ", a test"; }

private:
    Kernel& kernel_;
    std::string_view id_;
    bool first_ = true;
};

class SwitchingSourceTest : public testing::Test {
protected:
    SwitchingSource::Open opener(Kernel& kernel, std::string_view id) {
        return [&kernel, id]() -> Result<std::unique_ptr<SampleSource>> {
            ++kernel.opened;
            if (kernel.open_error != 0)
                return Error(kernel.open_error, std::string(id) + " is missing");
            return std::unique_ptr<SampleSource>(std::make_unique<FakeSource>(kernel, id));
        };
    }
    std::unique_ptr<SampleSource> open() {
        auto source = SwitchingSource::open({opener(best_, "best"), opener(second_, "second"), opener(last_, "last")});
        EXPECT_TRUE(source) << source.error().message();
        return *std::move(source);
    }
    static void wait_for_an_attempt(SampleSource& source) {
        for (int i = 0; i < SwitchingSource::polls_per_attempt; ++i)
            EXPECT_TRUE(source.poll_refaults());
    }
    Kernel best_;
    Kernel second_;
    Kernel last_;
};

TEST_F(SwitchingSourceTest, TakesTheBestThatCanBeOpened) {
    EXPECT_EQ(open()->traits().id, "best");
    best_.open_error = ENODEV;
    EXPECT_EQ(open()->traits().id, "second");
    EXPECT_EQ(open()->description(), "second, a test");
    EXPECT_EQ(open()->problem(), "") << "it was not there in the first place";
    second_.open_error = EPERM;
    last_.open_error = EIO;
    const auto none = SwitchingSource::open({opener(best_, "best"), opener(last_, "last")});
    EXPECT_EQ(none.error().message(), "last is missing");
}

TEST_F(SwitchingSourceTest, TheNextTakesItsPlaceInTheSameEpoch) {
    const auto source = open();
    source->follow({"transparent.slice"});
    ASSERT_TRUE(source->sample());
    best_.sample_error = EPERM;
    second_.sample_error = EPERM;
    const auto sample = source->sample();
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->referenced.size(), 1U);
    EXPECT_EQ(source->traits().id, "last");
    EXPECT_EQ(last_.cgroups, std::vector<std::string>{"transparent.slice"});
    EXPECT_EQ(source->problem().rfind("best broke; ", 0), 0U) << source->problem();
    const std::string problem = source->problem();
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->problem(), problem) << "said once";
}

TEST_F(SwitchingSourceTest, ReturnsToABetterOneThatWorksAgain) {
    const auto source = open();
    ASSERT_TRUE(source->sample());
    best_.sample_error = EIO;
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "second");
    best_.sample_error = 0;
    const int opened = best_.opened;
    for (int i = 0; i < SwitchingSource::polls_per_attempt - 1; ++i)
        ASSERT_TRUE(source->poll_refaults());
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(best_.opened, opened) << "not at each epoch";
    ASSERT_TRUE(source->poll_refaults());
    const auto back = source->sample();
    ASSERT_TRUE(back);
    EXPECT_EQ(back->referenced.size(), 1U);
    EXPECT_EQ(source->traits().id, "best");
    EXPECT_EQ(source->problem(), "");
}

// As with Epoch= in tmmd.conf.
TEST_F(SwitchingSourceTest, ReturnsToABetterOneThoughNobodyPolls) {
    best_.open_error = ENOENT;
    const auto source = open();
    ASSERT_EQ(source->traits().id, "second");
    best_.open_error = 0;
    for (int i = 0; i <= SwitchingSource::polls_per_attempt; ++i)
        ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "best");
}

TEST_F(SwitchingSourceTest, ChangesOnlyToASourceThatGivesASample) {
    best_.open_error = ENODEV;
    const auto source = open();
    ASSERT_TRUE(source->sample());
    best_.open_error = 0;
    best_.sample_error = EIO;
    wait_for_an_attempt(*source);
    const int opened = best_.opened;
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(best_.opened, opened + 1);
    EXPECT_EQ(source->traits().id, "second");
    EXPECT_EQ(source->problem(), "");
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(best_.opened, opened + 1) << "the next attempt comes a minute later";
}

TEST_F(SwitchingSourceTest, TellsWhyTheLostSourceDoesNotComeBack) {
    const auto source = open();
    best_.sample_error = EIO;
    second_.sample_error = EIO;
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->problem().rfind("best broke; ", 0), 0U) << source->problem();
    best_.open_error = EPIPE;
    wait_for_an_attempt(*source);
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "last");
    EXPECT_EQ(source->problem().rfind("best is missing; ", 0), 0U) << "not that of the second: " << source->problem();
}

TEST_F(SwitchingSourceTest, AProblemLastsUntilTheLostSourceIsBack) {
    const auto source = open();
    best_.sample_error = EIO;
    second_.sample_error = EIO;
    ASSERT_TRUE(source->sample());
    second_.sample_error = 0;
    wait_for_an_attempt(*source);
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "second");
    EXPECT_NE(source->problem(), "");
    best_.sample_error = 0;
    wait_for_an_attempt(*source);
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->problem(), "");
}

TEST_F(SwitchingSourceTest, FailsOnlyIfAllFail) {
    const auto source = open();
    best_.sample_error = second_.sample_error = last_.sample_error = EIO;
    EXPECT_EQ(source->sample().error().message(), "best broke");
    EXPECT_EQ(source->traits().id, "best");
    EXPECT_EQ(source->problem(), "") << "the error itself is told";
}

TEST_F(SwitchingSourceTest, TheSourceInUseAnswers) {
    const auto source = open();
    best_.is_due = false;
    EXPECT_FALSE(source->due(core::Seconds(1)));
    EXPECT_FALSE(source->has_failed());
    best_.has_failed = true;
    EXPECT_TRUE(source->has_failed());
    best_.can_learn = false;
    EXPECT_FALSE(source->traits().can_learn);
    EXPECT_TRUE(source->change_rate(-1));
    EXPECT_EQ(best_.rate, -1);
}

}  // namespace
}  // namespace tmm::os
