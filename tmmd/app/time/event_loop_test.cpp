// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/time/event_loop.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace tmm::app {
namespace {

// A pseudo-terminal in packet mode reports each flush with POLLPRI, until it is read.
class EventLoopTest : public testing::Test {
protected:
    EventLoopTest() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
        const int on = 1;
        EXPECT_EQ(::grantpt(master_.get()), 0);
        EXPECT_EQ(::unlockpt(master_.get()), 0);
        EXPECT_EQ(::ioctl(master_.get(), TIOCPKT, &on), 0);
        slave_ = UniqueFd(::open(::ptsname(master_.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
        EXPECT_TRUE(slave_);
    }
    void raise_alarm() { EXPECT_EQ(::tcflush(slave_.get(), TCIOFLUSH), 0); }
    void take_alarm() {
        char byte = 0;
        EXPECT_EQ(::read(master_.get(), &byte, 1), 1);
    }
    [[nodiscard]] std::vector<pollfd> alarms() const { return {{master_.get(), POLLPRI, 0}}; }

    UniqueFd master_;
    UniqueFd slave_;
    EventLoop loop_ = EventLoop::create().value();
    bus::PollRequest bus_;
};

TEST_F(EventLoopTest, AnAlarmComesBeforeATickAndNeitherIsLost) {
    ASSERT_TRUE(loop_.set_interval(std::chrono::nanoseconds(1)));
    EXPECT_EQ(loop_.wait(bus_, alarms()).value(), EventLoop::Event::tick);
    raise_alarm();
    EXPECT_EQ(loop_.wait(bus_, alarms()).value(), EventLoop::Event::alarm);
    ASSERT_EQ(loop_.reports().size(), 1U);
    EXPECT_EQ(loop_.reports().front().fd, master_.get());
    EXPECT_EQ(loop_.reports().front().revents, POLLPRI);
    take_alarm();
    EXPECT_EQ(loop_.wait(bus_, alarms()).value(), EventLoop::Event::tick);
    EXPECT_EQ(loop_.reports().front().revents, 0);
}

TEST_F(EventLoopTest, AnAlarmWakesItWithoutATick) {
    raise_alarm();
    EXPECT_EQ(loop_.wait(bus_, alarms()).value(), EventLoop::Event::alarm);
}

TEST_F(EventLoopTest, TheBusIsPolledBesideAlarms) {
    raise_alarm();
    take_alarm();
    bus_.fds.push_back({slave_.get(), POLLOUT, 0});
    EXPECT_EQ(loop_.wait(bus_, alarms()).value(), EventLoop::Event::bus);
}

}  // namespace
}  // namespace tmm::app
