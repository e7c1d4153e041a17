// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/trace_reader.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/temp_tree.hpp"

namespace tmm::trace {
namespace {

struct ReadTrace {
    std::vector<Record> records;
    std::string problem;
};

ReadTrace read_all(UniqueFd fd) {
    TraceReader reader(std::move(fd), "t", 10);
    ReadTrace trace;
    Record record;
    for (;;) {
        const auto more = reader.next(record);
        if (!more)
            trace.problem = more.error().message();
        if (!more || !*more)
            return trace;
        trace.records.push_back(record);
    }
}

ReadTrace read_text(const std::string& text) {
    const TempTree tree;
    std::ofstream(tree.path() / "t") << text;
    return read_all(UniqueFd(::open((tree.path() / "t").c_str(), O_RDONLY | O_CLOEXEC)));
}

TEST(TraceReader, ReadsRecordsInOrder) {
    const ReadTrace trace = read_text("#tmm-trace 1\n0,o,r,a,1\n5,t,r,b,2\n5,o,e,a,1\n");
    EXPECT_EQ(trace.problem, "");
    ASSERT_EQ(trace.records.size(), 3U);
    EXPECT_EQ(trace.records[1], (Record{.t_us = 5, .page = 0xb, .weight = 2, .page_class = PageClass::transparent}));
    EXPECT_EQ(trace.records[2].kind, RecordKind::evicted);
}

TEST(TraceReader, ColumnLineDosLinesAndAMissingLastLineEndAreFine) {
    for (const char* text : {"#tmm-trace 1\nt_us,class,kind,page,weight\n0,o,r,a,1\n", "#tmm-trace 1\r\n0,o,r,a,1\r\n",
                             "#tmm-trace 1\r\nt_us,class,kind,page,weight\r\n0,o,r,a,1", "#tmm-trace 1\n0,o,r,a,1"}) {
        const ReadTrace trace = read_text(text);
        EXPECT_EQ(trace.problem, "") << text;
        EXPECT_EQ(trace.records.size(), 1U) << text;
    }
    EXPECT_EQ(read_text("#tmm-trace 1\n").problem, "") << "a trace may hold no records";
    EXPECT_EQ(read_text("#tmm-trace 1").problem, "");
}

TEST(TraceReader, MistakesNameFileAndLine) {
    EXPECT_EQ(read_text("").problem, "t: is empty");
    EXPECT_EQ(read_text("#tmm-trace 2\n").problem, "t:1: '#tmm-trace 2': this program reads version 1");
    EXPECT_EQ(read_text("0,o,r,a,1\n").problem, "t:1: neither a trace (#tmm-trace 1) nor the text of valgrind --tool=lackey");
    EXPECT_EQ(read_text("#tmm-trace 1\n0,o,r,a,1\n\n").problem, "t:3: fewer than the five fields t_us,class,kind,page,weight");
    EXPECT_EQ(read_text("#tmm-trace 1\n0,o,x,a,1\n").problem, "t:2: 'x' is not a kind, r, e or f");
    EXPECT_EQ(read_text("#tmm-trace 1\n7,o,r,a,1\n6,o,r,a,1\n").problem, "t:3: time falls from 7 to 6 us");
    EXPECT_EQ(read_text("#tmm-trace 1\n0,o,r,a,1\n#tmm-trace 1\n").problem,
              "t:3: fewer than the five fields t_us,class,kind,page,weight");
    EXPECT_EQ(read_text(std::string("\0\1\2\377", 4)).problem,
              "t:1: neither a trace (#tmm-trace 1) nor the text of valgrind --tool=lackey");
}

TEST(TraceReader, LongLinesAreErrorsWhereverTheyStand) {
    const std::string longer(LineReader::max_line + 1, 'x');
    const std::string endless(3 * LineReader::block_bytes, 'x');
    EXPECT_EQ(read_text(longer + "\n").problem, "t:1: line longer than 4096 bytes");
    EXPECT_EQ(read_text("#tmm-trace 1\n" + endless).problem, "t:2: line longer than 4096 bytes");
}

TEST(TraceReader, LinesMayStraddleBlocks) {
    std::string text = "#tmm-trace 1\n";
    std::size_t nr_records = 0;
    for (; text.size() < 2 * LineReader::block_bytes + 100; ++nr_records)
        text += format_record({.t_us = nr_records, .page = nr_records * 0x10001});
    const ReadTrace trace = read_text(text);
    EXPECT_EQ(trace.problem, "");
    ASSERT_EQ(trace.records.size(), nr_records);
    for (std::size_t i = 0; i < nr_records; ++i)
        ASSERT_EQ(trace.records[i], (Record{.t_us = i, .page = i * 0x10001}));
}

TEST(TraceReader, ReadsPipesThatDeliverByBits) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::thread writer([fd = UniqueFd(ends[1])] {
        for (const char c : std::string("#tmm-trace 1\n1,o,r,a,1\n2,o,r,b,1"))
            EXPECT_EQ(::write(fd.get(), &c, 1), 1);
    });
    const ReadTrace trace = read_all(UniqueFd(ends[0]));
    writer.join();
    EXPECT_EQ(trace.problem, "");
    EXPECT_EQ(trace.records.size(), 2U);
}

TEST(TraceReader, ADirectoryCannotBeRead) {
    EXPECT_EQ(read_all(UniqueFd(::open("/", O_RDONLY | O_CLOEXEC))).problem, "t: Is a directory");
}

TEST(TraceReader, LackeyGetsAClockAndBothPagesOfAnAccessThatCrosses) {
    const ReadTrace trace = read_text("==1== Lackey\nI  00001000,3\n L 1ffe,4\n==1== x\n S 5000,1\n==1== Exit code: 0\n");
    EXPECT_EQ(trace.problem, "");
    const std::vector<Record> expected{
        {.t_us = 0, .page = 1}, {.t_us = 10, .page = 1}, {.t_us = 10, .page = 2}, {.t_us = 20, .page = 5}};
    EXPECT_EQ(trace.records, expected);
    EXPECT_EQ(read_text("I  00001000,3\nnonsense\n").problem,
              "t:2: 'nonsense' is neither an access (I, L, S or M) nor a line of valgrind");
    EXPECT_TRUE(read_text("==1== only talk\n").records.empty());
}

}  // namespace
}  // namespace tmm::trace
