// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/recording/recording.hpp"

#include <gtest/gtest.h>

namespace tmm::far {

namespace {

std::string with_header(const std::string& lines) {
    return std::string(recording_header) + "\n" + std::string(recording_columns) + "\n" + lines;
}

TEST(Recording, ReadsWhatItWrote) {
    const RecordedFault fault{12, 3, 0xab, 99, FaultKind::write, 25};
    EXPECT_EQ(format_fault(fault), "12,3,00000000000000ab,99,w,25\n");
    const auto read = parse_recording(with_header(format_fault(fault) + "12,0,ffffffffffffffff,0,z,0"));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(*read, (std::vector{fault, RecordedFault{12, 0, UINT64_MAX, 0, FaultKind::zero, 0}}));
}

TEST(Recording, ReadsCarriageReturnsAndAnEmptyRecording) {
    EXPECT_EQ(
        parse_recording("#tmm-far-recording 1\r\nt_us,thread,area,page,kind,waited_us\r\n1,2,0000000000000003,4,r,5\r\n")->size(),
        1U);
    EXPECT_TRUE(parse_recording(with_header(""))->empty());
}

TEST(Recording, RefusesAnythingElse) {
    EXPECT_EQ(parse_recording("").error().message(), "not a recording: it has no header");
    EXPECT_EQ(parse_recording("#tmm-far-recording 2\n").error().message(), "line 1: not '#tmm-far-recording 1'");
    for (const char* line :
         {"", "1,2", "1,2,0000000000000003,4,r,5,6", "-1,2,0000000000000003,4,r,5", "1,65536,0000000000000003,4,r,5",
          "1,2,3,4,r,5", "1,2,000000000000000g,4,r,5", "1,2,0000000000000003,68719476736,r,5", "1,2,0000000000000003,4,x,5",
          "1,2,0000000000000003,4,rw,5", "1,2,0000000000000003,4,r,", "18446744073709551616,2,0000000000000003,4,r,5",
          "315360000000001,2,0000000000000003,4,r,5"}) {
        const auto read = parse_recording(with_header(std::string(line) + "\n"));
        ASSERT_FALSE(read) << line;
        EXPECT_TRUE(read.error().message().starts_with("line 3: ")) << read.error().message();
    }
    EXPECT_EQ(parse_recording(with_header("2,0,0000000000000000,0,r,0\n1,0,0000000000000000,0,r,0\n")).error().message(),
              "line 4: time falls");
}

}  // namespace

}  // namespace tmm::far
