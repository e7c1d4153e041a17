// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "owner_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/temp_tree.hpp"

namespace tmm::desk {
namespace {

TEST(OwnerOptions, Defaults) {
    const auto options = parse_owner_options({});
    ASSERT_TRUE(options) << options.error().message();
    EXPECT_EQ(options->pattern, PatternKind::loop);
    EXPECT_EQ(options->memory, MemoryKind::anonymous);
    EXPECT_EQ(options->nr_pages, 25600U);
    EXPECT_EQ(options->think, std::chrono::milliseconds(20));
    EXPECT_TRUE(options->log_path.empty());
    EXPECT_EQ(options->compressible, 1U) << "random pages";
}

TEST(OwnerOptions, EverythingGiven) {
    const char* const arguments[] = {"--pattern=zipf",  "--mb=2",   "--batch=3", "--think-ms=4", "--zipf-s=0.5",
                                     "--write-every=0", "--seed=6", "--log=l",   "--ready=r",    "--compressible=3"};
    const auto options = parse_owner_options(arguments);
    ASSERT_TRUE(options) << options.error().message();
    EXPECT_EQ(options->pattern, PatternKind::zipf);
    EXPECT_EQ(options->nr_pages, 512U);
    EXPECT_EQ(options->batch_pages, 3U);
    EXPECT_EQ(options->zipf_exponent, 0.5);
    EXPECT_EQ(options->write_every, 0U);
    EXPECT_EQ(options->seed, 6U);
    EXPECT_EQ(options->compressible, 3U);
    EXPECT_EQ(options->log_path, "l");
    EXPECT_EQ(options->ready_path, "r");
}

TEST(OwnerOptions, NamesWhatIsWrong) {
    const char* const pattern[] = {"--pattern=random"};
    EXPECT_EQ(parse_owner_options(pattern).error().message(), "--pattern must be one of loop, zipf, phases, not 'random'");
    const char* const mb[] = {"--mb=0"};
    EXPECT_EQ(parse_owner_options(mb).error().message(), "--mb must be a number from 1 to 1048576, not '0'");
    const char* const memory[] = {"--memory=tape"};
    EXPECT_EQ(parse_owner_options(memory).error().message(), "--memory must be one of anon, file-read, file-map, not 'tape'");
    const char* const nowhere[] = {"--memory=file-map"};
    EXPECT_EQ(parse_owner_options(nowhere).error().message(), "--memory file-map needs --file PATH");
    const char* const seed[] = {"--seed=-1"};
    EXPECT_FALSE(parse_owner_options(seed));
    const char* const compressible[] = {"--compressible=0"};
    EXPECT_EQ(parse_owner_options(compressible).error().message(), "--compressible must be a number from 1 to 64, not '0'");
}

TEST(OwnerOptions, MakesThePatternAskedFor) {
    OwnerOptions options = *parse_owner_options({});
    options.nr_pages = 1000;
    std::vector<PageIndex> batch;
    make_pattern(options)->next(1000, batch);
    EXPECT_TRUE(std::is_sorted(batch.begin(), batch.end()));
    options.pattern = PatternKind::phases;
    make_pattern(options)->next(1000, batch);
    EXPECT_EQ(*std::max_element(batch.begin(), batch.end()), 499U) << "one of two parts";
    options.pattern = PatternKind::zipf;
    make_pattern(options)->next(1000, batch);
    EXPECT_FALSE(std::is_sorted(batch.begin(), batch.end()));
}

TEST(OwnerOptions, MakesTheMemoryAskedFor) {
    const TempTree tree;
    const std::string path = (tree.path() / "file").string();
    const std::string option = "--file=" + path;
    for (const char* kind : {"--memory=file-read", "--memory=file-map"}) {
        const char* const arguments[] = {kind, option.c_str(), "--mb=1"};
        const auto memory = make_memory(*parse_owner_options(arguments));
        ASSERT_TRUE(memory) << memory.error().message();
        EXPECT_EQ(std::filesystem::file_size(path), 1U << 20);
    }
    const char* const anonymous[] = {"--mb=1"};
    EXPECT_TRUE(make_memory(*parse_owner_options(anonymous)));
}

}  // namespace
}  // namespace tmm::desk
