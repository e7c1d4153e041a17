// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/options.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::replay {
namespace {

Result<Options> options_of(std::vector<std::string> words) {
    words.insert(words.begin(), "tmm-replay");
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), argv.data());
}

TEST(ReplayOptions, Defaults) {
    const auto options = options_of({"a.trace"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->file, "a.trace");
    EXPECT_EQ(options->epoch_us, 1'000'000U);
    EXPECT_FALSE(options->sample_shift);
    EXPECT_FALSE(options->memory);
    EXPECT_EQ(options->objective, core::Objective::reuse);
    EXPECT_EQ(options->form, Form::text);
    EXPECT_FALSE(options->exact);
}

TEST(ReplayOptions, AreRead) {
    const auto options = options_of({"--epoch", "0.5", "--sample-shift=3", "--memory=1000", "--objective=paper", "--exact",
                                     "--record-time=10", "--json", "--progress", "-"});
    ASSERT_TRUE(options) << options.error().message();
    EXPECT_EQ(options->epoch_us, 500'000U);
    EXPECT_EQ(options->sample_shift, 3U);
    EXPECT_EQ(options->memory, core::Pages(1000));
    EXPECT_EQ(options->objective, core::Objective::paper);
    EXPECT_TRUE(options->exact);
    EXPECT_TRUE(options->progress);
    EXPECT_EQ(options->record_time_us, 10U);
    EXPECT_EQ(options->form, Form::json);
    EXPECT_EQ(options->file, "-");
    EXPECT_EQ(options_of({"-h", "--nonsense"})->action, Options::Action::help);
    EXPECT_EQ(options_of({"--version"})->action, Options::Action::version);
}

TEST(ReplayOptions, MistakesAreNamed) {
    EXPECT_EQ(options_of({}).error().message(), "no trace is named");
    EXPECT_EQ(options_of({"a", "b"}).error().message(), "unexpected argument 'b'");
    EXPECT_EQ(options_of({"--nonsense", "a"}).error().message(), "unknown option '--nonsense'");
    EXPECT_EQ(options_of({"--epoch"}).error().message(), "option '--epoch' needs a value");
    EXPECT_EQ(options_of({"--json", "--csv", "a"}).error().message(), "--json and --csv exclude each other");
    for (const char* value : {"", "0", "-1", "1e9", "nan", "inf", "x", "0.0009"})
        EXPECT_EQ(options_of({"--epoch", value, "a"}).error().message(),
                  "--epoch: '" + std::string(value) + "' is not a number of seconds from 0.001 to 86400");
    for (const char* value : {"", "-1", "14", "x", "1.5", "99999999999999999999"})
        EXPECT_EQ(options_of({"--sample-shift", value, "a"}).error().message(),
                  "--sample-shift: '" + std::string(value) + "' is not a number from 0 to 13");
    for (const char* value : {"", "-1", "0", "x", "1.5", "99999999999999999999", "1099511627777"})
        EXPECT_EQ(options_of({"--memory", value, "a"}).error().message(),
                  "--memory: '" + std::string(value) + "' is not a number of pages from 1 to 2^40");
    EXPECT_EQ(options_of({"--objective=gamma", "a"}).error().message(), "--objective: 'gamma' is not reuse or paper");
    EXPECT_EQ(options_of({"--record-time=1000001", "a"}).error().message(),
              "--record-time: '1000001' is not a number of microseconds from 0 to 1000000");
}

}  // namespace
}  // namespace tmm::replay
