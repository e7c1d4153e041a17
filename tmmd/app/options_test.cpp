// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/options.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::app {
namespace {

Result<Options> options_of(std::vector<std::string> words) {
    words.insert(words.begin(), "tmmd");
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), argv.data());
}

TEST(Options, DefaultsRunWithTheDefaultFile) {
    const auto options = options_of({});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->action, Options::Action::run);
    EXPECT_EQ(options->config_path, "");
    EXPECT_FALSE(options->dry_run);
}

TEST(Options, AreRead) {
    const auto options =
        options_of({"--config=a.conf", "--dry-run", "--timeline", "t.csv", "--state=s", "--record=r", "--root=d", "-v"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->config_path, "a.conf");
    EXPECT_EQ(options->timeline_path, "t.csv");
    EXPECT_EQ(options->record_path, "r");
    EXPECT_EQ(options->root, "d");
    EXPECT_EQ(options->state_path, "s");
    EXPECT_TRUE(options->dry_run);
    EXPECT_TRUE(options->verbose);
    EXPECT_EQ(options_of({"--check-config"})->action, Options::Action::check_config);
    EXPECT_EQ(options_of({"--print-sources"})->action, Options::Action::print_sources);
    EXPECT_EQ(options_of({"--release"})->action, Options::Action::release);
    EXPECT_EQ(options_of({"--version"})->action, Options::Action::version);
    EXPECT_EQ(options_of({"-h", "--nonsense"})->action, Options::Action::help);
}

TEST(Options, TheBusIsTheSystemsUnlessOtherwiseAsked) {
    EXPECT_EQ(options_of({})->bus, "system");
    EXPECT_EQ(options_of({"--dry-run"})->bus, "") << "the tmmd that sets limits has the name";
    EXPECT_EQ(options_of({"--dry-run", "--bus=session"})->bus, "session");
    EXPECT_EQ(options_of({"--bus=none"})->bus, "");
    EXPECT_EQ(options_of({"--bus=unix:path=/run/x"})->bus, "unix:path=/run/x");
    EXPECT_FALSE(options_of({"--bus=dbus"}));
    EXPECT_FALSE(options_of({"--bus="}));
}

TEST(Options, ATimeLapseIsAWholeNumber) {
    EXPECT_EQ(options_of({})->time_lapse, 1);
    EXPECT_EQ(options_of({"--time-lapse=30"})->time_lapse, 30);
    EXPECT_EQ(options_of({"--time-lapse=1000"})->time_lapse, 1000);
    for (const char* wrong : {"0", "1001", "-1", "1.5", "18446744073709551616", ""})
        EXPECT_EQ(options_of({"--time-lapse", wrong}).error().message(),
                  "option '--time-lapse' must be a whole number from 1 to 1000, not '" + std::string(wrong) + "'");
}

TEST(Options, ASourceIsOneOfThoseKnown) {
    EXPECT_EQ(options_of({})->source, "");
    for (const char* source : {"tmm", "idle", "mglru", "footprint", "none"})
        EXPECT_EQ(options_of({"--source", source})->source, source);
    EXPECT_EQ(options_of({"--source=pages"}).error().message(),
              "option '--source' must be tmm, idle, mglru, footprint or none, not 'pages'");
}

TEST(Options, MistakesAreNamed) {
    EXPECT_EQ(options_of({"--nonsense"}).error().message(), "unknown option '--nonsense'");
    EXPECT_EQ(options_of({"--dry-run", "-x"}).error().message(), "unknown option '-x'");
    EXPECT_EQ(options_of({"--timeline"}).error().message(), "option '--timeline' needs a value");
    EXPECT_EQ(options_of({"start"}).error().message(), "unexpected argument 'start'");
}

}  // namespace
}  // namespace tmm::app
