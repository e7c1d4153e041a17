// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/options.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::boinc {
namespace {

Result<Options> parse(std::vector<std::string> words) {
    words.insert(words.begin(), "tmm-boinc");
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), arguments.data());
}

TEST(Options, HaveDebiansDefaults) {
    const Options options = parse({}).value();
    EXPECT_EQ(options.action, Options::Action::run);
    EXPECT_EQ(options.data_dir, "/var/lib/boinc-client");
    EXPECT_FALSE(options.port) << "the client's command line tells";
    EXPECT_FALSE(options.dry_run);
}

TEST(Options, AreTaken) {
    const Options options =
        parse({"--data=d", "--state=s", "--port=31501", "--socket", "x", "--bus=unix:path=b", "--dry-run", "-v", "--restore"})
            .value();
    EXPECT_EQ(options.data_dir, "d");
    EXPECT_EQ(options.state_dir, "s");
    EXPECT_EQ(options.port, 31501);
    EXPECT_EQ(options.socket, "x");
    EXPECT_EQ(options.bus, "unix:path=b");
    EXPECT_TRUE(options.dry_run && options.verbose);
    EXPECT_EQ(options.action, Options::Action::restore);
}

TEST(Options, TheLastActionCounts) {
    EXPECT_EQ(parse({"--restore", "--release"}).value().action, Options::Action::release);
}

TEST(Options, ErrorsNameTheOption) {
    EXPECT_EQ(parse({"--port=0"}).error().message(), "option '--port' must be from 1 to 65535, not '0'");
    EXPECT_EQ(parse({"--port=65536"}).error().message(), "option '--port' must be from 1 to 65535, not '65536'");
    EXPECT_EQ(parse({"--bus=x"}).error().message(), "option '--bus' must be an address such as unix:path=FILE, not 'x'");
    EXPECT_EQ(parse({"--data"}).error().message(), "option '--data' needs a value");
    EXPECT_EQ(parse({"--other"}).error().message(), "unknown option '--other'");
    EXPECT_EQ(parse({"word"}).error().message(), "unexpected argument 'word'");
}

TEST(Options, HelpNamesThemAll) {
    const std::string text = usage();
    for (const char* word :
         {"--bus", "--data", "--dry-run", "--port", "--release", "--restore", "--socket", "--state", "--verbose", "--version"})
        EXPECT_NE(text.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace tmm::boinc
