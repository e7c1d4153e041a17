// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/pressure_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "softlib/budget.hpp"
#include "tests/mebibyte.hpp"

namespace soft::detail {
namespace {

class PressureWatchTest : public testing::Test {
protected:
    PressureWatchTest() { std::filesystem::create_directories(root_ / "proc"); }
    ~PressureWatchTest() override {
        ::unsetenv("MEMORY_PRESSURE_WATCH");
        std::filesystem::remove_all(root_);
    }
    [[nodiscard]] std::string path() const { return root_ / "pressure"; }
    void make_fifo() const { ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0); }
    void tell() const {
        const int fd = ::open(path().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        ASSERT_GE(fd, 0);
        EXPECT_EQ(::write(fd, "xx", 2), 2);
        ::close(fd);
    }

    std::filesystem::path root_ = testing::TempDir() + "softlib-pressure-" + std::to_string(::getpid());
};

TEST_F(PressureWatchTest, NobodyTellsWhereThereIsNothing) {
    std::ofstream(root_ / "file") << "plain";
    for (const std::string& none : {std::string(), std::string("/dev/null"), std::string("relative"), path(), root_.string(),
                                    std::string(root_ / "file")}) {
        PressureWatch watch(none, "eA==");
        EXPECT_FALSE(watch.was_told()) << none;
        EXPECT_FALSE(watch.was_told()) << none;
    }
}

TEST_F(PressureWatchTest, AFifoTellsUntilItWasHeard) {
    make_fifo();
    PressureWatch watch(path(), "");
    EXPECT_FALSE(watch.was_told());
    tell();
    tell();
    EXPECT_TRUE(watch.was_told());
    EXPECT_FALSE(watch.was_told());
    tell();
    EXPECT_TRUE(watch.was_told()) << "the writer had closed it";
}

TEST_F(PressureWatchTest, ASocketGetsTheThresholdAndMayEnd) {
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path().c_str());
    ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    PressureWatch watch(path(), "c29tZSAyMDAwMDAgMjAwMDAwMAA=");
    EXPECT_FALSE(watch.was_told());
    const int peer = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    ASSERT_GE(peer, 0);
    char got[64] = {};
    EXPECT_EQ(::recv(peer, got, sizeof got, MSG_DONTWAIT), 20);
    EXPECT_STREQ(got, "some 200000 2000000");
    EXPECT_EQ(::send(peer, "x", 1, MSG_NOSIGNAL), 1);
    EXPECT_TRUE(watch.was_told());
    ::close(peer);
    EXPECT_FALSE(watch.was_told());
    EXPECT_FALSE(watch.was_told());
    ::close(listener);
    EXPECT_FALSE(PressureWatch(path(), "eA==").was_told()) << "nobody listens";
}

TEST_F(PressureWatchTest, TheKernelTakesTheThreshold) {
    PressureWatch watch("/proc/pressure/memory", "c29tZSAyMDAwMDAgMjAwMDAwMAA=");
    // Whether or not this kernel has PSI and allows it.
    EXPECT_FALSE(watch.was_told()) << "nothing has stalled yet";
    EXPECT_FALSE(PressureWatch("/proc/pressure/memory", "").was_told()) << "without a threshold it never tells";
}

TEST_F(PressureWatchTest, AHeapGivesBackWhatItIsToldTo) {
    std::ofstream(root_ / "proc/meminfo") << "MemTotal: 10485760 kB\nMemFree: 8388608 kB\n";
    make_fifo();
    ::setenv("MEMORY_PRESSURE_WATCH", path().c_str(), 1);
    machine_budget budget({}, root_.string());
    const std::size_t held = 1000 * mebibyte;
    EXPECT_GT(budget.budget_bytes(held), held);
    tell();
    EXPECT_EQ(budget.budget_bytes(held), 750 * mebibyte);
    EXPECT_TRUE(budget.gives_way());
    const pid_t child = ::fork();
    if (child == 0) {
        budget.forked();
        static_cast<void>(budget.budget_bytes(held));
        tell();
        ::_exit(budget.budget_bytes(held) == 750 * mebibyte ? 0 : 1);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(ParseBase64Test, TakesWholeGroupsOnly) {
    EXPECT_EQ(parse_base64(""), "");
    EXPECT_EQ(parse_base64("Zg=="), "f");
    EXPECT_EQ(parse_base64("Zm8="), "fo");
    EXPECT_EQ(parse_base64("Zm9v"), "foo");
    EXPECT_EQ(parse_base64("/+8="), "\xff\xef");
    for (const char* const wrong : {"Z", "Zg=", "Zg", "Z===", "Zm9!", "Zg==Zg=="}) {
        EXPECT_FALSE(parse_base64(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace soft::detail
