// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/options.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/views/fake_status.hpp"

namespace tmm::ctl {
namespace {

Result<Options> options_of(std::vector<std::string> words) {
    use_utc();
    words.insert(words.begin(), "tmmctl");
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), argv.data(), noon);
}

std::string error_of(const std::vector<std::string>& words) {
    const auto options = options_of(words);
    return options ? "(none)" : options.error().message();
}

wire::CapsChange caps_of(const std::vector<std::string>& words) {
    const auto options = options_of(words);
    return options ? options->caps : wire::CapsChange{0, 0, false, false, options.error().message()};
}

TEST(Options, StatusIsTheDefault) {
    const auto options = options_of({});
    ASSERT_TRUE(options) << options.error().message();
    EXPECT_EQ(options->command, Command::status);
    EXPECT_EQ(options_of({"--json"})->command, Command::status);
}

TEST(Options, MayStandBeforeAndAfterTheCommand) {
    for (const auto& words : std::vector<std::vector<std::string>>{{"--json", "top", "-n3", "-d", "0.5"},
                                                                   {"top", "--json", "--count=3", "--delay=0.5"},
                                                                   {"-n", "3", "-d0.5", "--json", "--", "top"}}) {
        const auto options = options_of(words);
        ASSERT_TRUE(options) << options.error().message();
        EXPECT_EQ(options->command, Command::top);
        EXPECT_TRUE(options->json);
        EXPECT_EQ(options->count, 3U);
        EXPECT_EQ(options->delay, std::chrono::milliseconds(500));
    }
}

TEST(Options, OneContributionHasAName) {
    EXPECT_EQ(options_of({"pause", "povray"})->contribution, "povray");
    EXPECT_EQ(options_of({"resume", "povray"})->contribution, "povray");
    EXPECT_EQ(options_of({"stop", "--json", "two words"})->contribution, "two words");
    EXPECT_EQ(options_of({"pause", "/org/transparentmemory/Tmm1/contributions/3"})->command, Command::pause);
    EXPECT_FALSE(options_of({"pause"})->contribution);
    EXPECT_FALSE(options_of({"pause", "30min"})->contribution) << "a length is no name";
    EXPECT_FALSE(options_of({"pause", "tomorrow"})->contribution);
    EXPECT_FALSE(options_of({"resume"})->contribution);
    EXPECT_NE(error_of({"stop"}).find("which contribution"), std::string::npos);
    EXPECT_NE(error_of({"stop", "a", "b"}), "(none)");
    EXPECT_NE(error_of({"pause", "a", "b"}), "(none)");
    EXPECT_NE(error_of({"pause", "until"}), "(none)");
    EXPECT_NE(error_of({"pause", "500d"}), "(none)") << "a length that is too long is no name";
    EXPECT_NE(error_of({"pause", ""}), "(none)");
}

TEST(Options, CommandsTakeTheirWords) {
    EXPECT_EQ(options_of({"pause"})->pause, std::chrono::seconds(0));
    EXPECT_EQ(options_of({"pause", "1h", "30min"})->pause, std::chrono::minutes(90));
    EXPECT_EQ(options_of({"pause", "until", "13:00"})->pause, std::chrono::hours(1));
    EXPECT_EQ(options_of({"history"})->resolution, "hours");
    EXPECT_EQ(options_of({"history", "days", "--csv"})->resolution, "days");
    EXPECT_TRUE(options_of({"status", "-q"})->quiet);
    EXPECT_EQ(options_of({"explain", "-n", "5"})->count, 5U);
    for (const char* word : {"watch", "resume", "off", "on", "doctor"})
        EXPECT_TRUE(options_of({word, "--json"})) << word;
    EXPECT_EQ(options_of({"top", "-h", "--nonsense"})->command, Command::help);
    EXPECT_EQ(options_of({"--version"})->command, Command::version);
}

TEST(Options, SoftTakesACapOrAWeight) {
    EXPECT_FALSE(options_of({"soft"})->soft_max_bytes);
    EXPECT_EQ(options_of({"soft", "cap", "4G"})->soft_max_bytes, 4 * gb);
    EXPECT_EQ(options_of({"soft", "cap", "none"})->soft_max_bytes, wire::no_limit);
    EXPECT_EQ(options_of({"soft", "weight", "ada", "10000"})->soft_weight, std::pair(std::string("ada"), std::uint32_t{10000}));
    EXPECT_EQ(error_of({"soft", "cap", "much"}), "'much' is no size: write a number with K, M, G or T, or none");
    for (const char* const weight : {"0", "10001", "1.5", "x"})
        EXPECT_NE(error_of({"soft", "weight", "ada", weight}).find("is no weight"), std::string::npos);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"cap"}, {"weight", "ada"}, {"more"}, {"cap", "1", "2"}}) {
        std::vector<std::string> all{"soft"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(error_of(all), "soft takes 'cap SIZE', 'cap none' or 'weight USER N'");
    }
}

TEST(Options, LimitsAreSet) {
    EXPECT_EQ(caps_of({"limit"}), wire::CapsChange{});
    EXPECT_EQ(caps_of({"limit", "--max", "4G"}), (wire::CapsChange{4 * gb, 100, {}, {}, {}})) << "the other maximum goes";
    EXPECT_EQ(caps_of({"limit", "--max=25%"}), (wire::CapsChange{wire::no_limit, 25, {}, {}, {}}));
    EXPECT_EQ(caps_of({"limit", "--max=25%", "--max=4G"}), (wire::CapsChange{4 * gb, 25, {}, {}, {}})) << "both are wanted";
    EXPECT_EQ(caps_of({"limit", "--max=none"}), (wire::CapsChange{wire::no_limit, 100, {}, {}, {}}));
    EXPECT_EQ(caps_of({"limit", "--only-when-idle=yes", "--only-on-mains=no"}), (wire::CapsChange{{}, {}, true, false, {}}));
    EXPECT_EQ(caps_of({"limit", "--only-when-idle", "--only-on-mains"}), (wire::CapsChange{{}, {}, true, true, {}}));
    EXPECT_EQ(caps_of({"limit", "--quiet-hours", "22:00-07:00"}), (wire::CapsChange{{}, {}, {}, {}, "22:00-07:00"}));
    EXPECT_EQ(caps_of({"limit", "--quiet-hours=none"}), (wire::CapsChange{{}, {}, {}, {}, ""}));
    EXPECT_EQ(caps_of({"limit", "--none"}), (wire::CapsChange{wire::no_limit, 100, false, false, ""}));
    EXPECT_EQ(caps_of({"limit", "--none", "--only-when-idle"}), (wire::CapsChange{wire::no_limit, 100, true, false, ""}));
}

TEST(Options, MistakesAreNamed) {
    EXPECT_EQ(error_of({"dance"}), "there is no command 'dance'");
    EXPECT_EQ(error_of({"--nonsense"}), "'--nonsense' is unknown, ambiguous or takes no value");
    EXPECT_EQ(error_of({"--json=yes"}), "'--json=yes' is unknown, ambiguous or takes no value");
    EXPECT_EQ(error_of({"limit", "--max"}), "option '--max' needs a value");
    EXPECT_EQ(error_of({"status", "more"}), "unexpected argument 'more'");
    EXPECT_EQ(error_of({"pause", "--quiet"}), "--quiet does not go with 'pause'");
    EXPECT_EQ(error_of({"--none"}), "--none does not go with 'status'");
    EXPECT_EQ(error_of({"history", "--csv", "--json"}), "--json and --csv exclude each other");
    EXPECT_EQ(error_of({"history", "years"}), "'years' is none of minutes, hours and days");
    EXPECT_EQ(error_of({"top", "-n", "0"}), "--count: '0' is not a whole number from 1");
    EXPECT_EQ(error_of({"top", "-n", "4294967296"}), "--count: '4294967296' is not a whole number from 1");
    EXPECT_EQ(error_of({"top", "-d", "0"}), "--delay: '0' is not a number of seconds from 0.1 to 86400");
    EXPECT_EQ(error_of({"limit", "--max=101%"}), "'101%' is no share: write 0% to 100%");
    EXPECT_EQ(error_of({"limit", "--max=nan%"}), "'nan%' is no share: write 0% to 100%");
    EXPECT_EQ(error_of({"limit", "--max=much"}), "'much' is no size: write a number with K, M, G, T or %, or none");
    EXPECT_EQ(error_of({"limit", "--only-when-idle=maybe"}), "--only-when-idle: 'maybe' is not yes or no");
    EXPECT_NE(error_of({"limit", "--quiet-hours=22-7"}).find("HH:MM-HH:MM"), std::string::npos);
    EXPECT_NE(error_of({"pause", "30"}).find("30min"), std::string::npos);
}

}  // namespace
}  // namespace tmm::ctl
