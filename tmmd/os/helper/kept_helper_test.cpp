// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/kept_helper.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "tmmd/os/helper/fake_helper.hpp"

namespace tmm::os {
namespace {

class KeptHelperTest : public testing::Test {
protected:
    FakeHelpers helpers_;
    KeptHelper helper_ = helpers_.begin("tmmd-test");

    void end() { helpers_.sockets.back().reset(); }
};

TEST_F(KeptHelperTest, IsReplacedAfterItsEndOnly) {
    ASSERT_TRUE(helper_.replace_if_ended());
    EXPECT_EQ(helpers_.sockets.size(), 1U) << "it runs";
    ASSERT_TRUE(helper_.send("one"));
    EXPECT_EQ(receive_message(helpers_.sockets[0].get(), no_wait).value(), "one");
    EXPECT_FALSE(helper_.has_ended());
    end();
    EXPECT_TRUE(helper_.has_ended());
    EXPECT_TRUE(helper_.runs()) << "nobody has noticed";
    const auto ended = helper_.receive(no_wait);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code(), EPIPE);
    EXPECT_NE(ended.error().message().find("tmmd-test has ended; tmmd starts another"), std::string::npos)
        << ended.error().message();
    EXPECT_FALSE(helper_.runs());
    EXPECT_TRUE(helper_.has_ended());
    EXPECT_EQ(helper_.send("two").error().code(), EPIPE) << "nobody asked for another";
    EXPECT_EQ(helper_.receive(no_wait).error().code(), EPIPE);
    EXPECT_EQ(helpers_.sockets.size(), 1U);
    ASSERT_TRUE(helper_.replace_if_ended());
    EXPECT_FALSE(helper_.has_ended());
    ASSERT_TRUE(helper_.send("three"));
    EXPECT_EQ(receive_message(helpers_.sockets[1].get(), no_wait).value(), "three");
    end();
    EXPECT_EQ(helper_.send("four").error().code(), EPIPE) << "a message notices the end, too";
    EXPECT_FALSE(helper_.runs());
}

TEST_F(KeptHelperTest, IsGivenUpIfNoneEverReplies) {
    for (int started = 1; started < KeptHelper::max_vain_starts; ++started) {
        end();
        EXPECT_FALSE(helper_.receive(no_wait));
        ASSERT_TRUE(helper_.replace_if_ended()) << started;
    }
    end();
    const auto last = helper_.receive(no_wait);
    ASSERT_FALSE(last);
    EXPECT_NE(last.error().message().find("5 times in a row; a restart of tmmd"), std::string::npos) << last.error().message();
    const auto sixth = helper_.replace_if_ended();
    ASSERT_FALSE(sixth);
    EXPECT_EQ(sixth.error().code(), EPIPE);
    EXPECT_EQ(helpers_.sockets.size(), 5U);
}

TEST_F(KeptHelperTest, IsReplacedForEverIfItReplies) {
    for (int started = 0; started < 3 * KeptHelper::max_vain_starts; ++started) {
        ASSERT_TRUE(send_message(helpers_.sockets.back().get(), "reply"));
        EXPECT_EQ(helper_.receive(no_wait).value(), "reply");
        end();
        EXPECT_FALSE(helper_.receive(no_wait));
        ASSERT_TRUE(helper_.replace_if_ended()) << started;
    }
}

TEST_F(KeptHelperTest, TellsWhyThereIsNoOther) {
    end();
    EXPECT_FALSE(helper_.send("one"));
    helpers_.refusal = Error(EPERM, "no rights");
    EXPECT_EQ(helper_.replace_if_ended().error().message(), "no rights");
    EXPECT_FALSE(helper_.runs());
    helpers_.refusal.reset();
    EXPECT_TRUE(helper_.replace_if_ended());
}

}  // namespace
}  // namespace tmm::os
