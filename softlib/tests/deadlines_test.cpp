// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Ends the process if a test, or a child that it forked, takes too long: a deadlock fails with the test's name, and not at the
// end of the suite's time.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>

namespace soft {
namespace {

/// The slowest test takes 24 s, in an emulator.
constexpr unsigned deadline_seconds = 300;

std::string message;

class Deadlines final : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo& test) override {
        message = std::string(test.test_suite_name()) + "." + test.name() + " takes too long: a deadlock?\n";
        alarm(deadline_seconds);
    }
    void OnTestEnd(const testing::TestInfo& /*test*/) override { alarm(0); }
};

void end_of_time(int /*signal*/) {
    static_cast<void>(!write(STDERR_FILENO, message.data(), message.size()));
    _exit(1);
}

[[maybe_unused]] const bool installed = [] {
    testing::UnitTest::GetInstance()->listeners().Append(std::make_unique<Deadlines>().release());
    struct sigaction action {};
    action.sa_handler = end_of_time;
    sigaction(SIGALRM, &action, nullptr);
    // A child does not inherit the alarm; its own goes off before its parent's.
    pthread_atfork(nullptr, nullptr, [] { alarm(deadline_seconds / 2); });
    return true;
}();

}  // namespace
}  // namespace soft
