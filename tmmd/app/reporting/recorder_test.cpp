// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/recorder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/trace/trace_reader.hpp"

namespace tmm::app {
namespace {

using std::chrono::seconds;
using trace::Record;
using trace::RecordKind;

constexpr trace::KeyHash hash_of_test(1, 2);

std::vector<Record> records_in(const std::string& path) {
    trace::TraceReader reader(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), path, 1);
    std::vector<Record> outputs;
    Record record;
    for (;;) {
        const auto more = reader.next(record);
        EXPECT_TRUE(more) << more.error().message();
        if (!more || !*more)
            return outputs;
        outputs.push_back(record);
    }
}

core::EpochSample sample_of(std::vector<core::SampledPage> referenced, std::vector<core::PageKey> gone) {
    core::EpochSample sample;
    sample.referenced = std::move(referenced);
    sample.gone = std::move(gone);
    return sample;
}

TEST(Recorder, WritesATraceThatReadsBack) {
    const TempTree tree;
    const std::string path = (tree.path() / "a.trace").string();
    auto recorder = Recorder::create(path, hash_of_test);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(recorder->append(sample_of({{7, 1}, {8, 512}}, {}), core::AwakeTime(seconds(1000))));
    ASSERT_TRUE(recorder->append(sample_of({{8, 512}}, {7, 99}), core::AwakeTime(seconds(1002))));
    const std::vector<Record> expected{{.t_us = 0, .page = hash_of_test(7)},
                                       {.t_us = 0, .page = hash_of_test(8), .weight = 512},
                                       {.t_us = 2'000'000, .page = hash_of_test(7), .kind = RecordKind::evicted},
                                       {.t_us = 2'000'000, .page = hash_of_test(8), .weight = 512}};
    EXPECT_EQ(records_in(path), expected) << "page 99 was never sampled";
}

TEST(Recorder, KeysOfTheMachineDoNotShow) {
    const TempTree tree;
    auto recorder = Recorder::create((tree.path() / "a.trace").string(), hash_of_test);
    ASSERT_TRUE(recorder->append(sample_of({{0xabcdef, 1}}, {}), core::AwakeTime(seconds(1))));
    EXPECT_EQ(tree.text("a.trace").find("abcdef"), std::string::npos);
    struct stat status {};
    ASSERT_EQ(::stat((tree.path() / "a.trace").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U) << "only its owner may read it";
}

TEST(Recorder, WithANewSourceAllPagesGoAway) {
    const TempTree tree;
    const std::string path = (tree.path() / "a.trace").string();
    auto recorder = Recorder::create(path, hash_of_test);
    ASSERT_TRUE(recorder->append(sample_of({{7, 2}}, {}), core::AwakeTime(seconds(0))));
    recorder->forget_pages();
    ASSERT_TRUE(recorder->append(sample_of({{7, 4}}, {}), core::AwakeTime(seconds(1))));
    ASSERT_TRUE(recorder->append(sample_of({}, {}), core::AwakeTime(seconds(2))));
    const std::vector<Record> expected{{.t_us = 0, .page = hash_of_test(7), .weight = 2},
                                       {.t_us = 1'000'000, .page = hash_of_test(7), .weight = 2, .kind = RecordKind::evicted},
                                       {.t_us = 1'000'000, .page = hash_of_test(7), .weight = 4}};
    EXPECT_EQ(records_in(path), expected);
}

TEST(Recorder, FullDiskIsAnErrorThatNamesTheFile) {
    EXPECT_EQ(Recorder::create("/dev/full", hash_of_test).error().message(), "/dev/full: No space left on device");
    EXPECT_EQ(Recorder::create("/nowhere/a.trace", hash_of_test).error().code(), ENOENT);
}

}  // namespace
}  // namespace tmm::app
