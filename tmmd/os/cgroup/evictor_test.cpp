// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/evictor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <thread>

#include "base/temp_tree.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/giving/holds/evict_pace.hpp"

namespace tmm::os {
namespace {

// A pipe as memory.reclaim of a frozen cgroup: it has each step, and a step takes until there is room in it.
class ReclaimPipe {
public:
    ReclaimPipe(TempTree& tree, const std::string& cgroup) {
        tree.file(cgroup + "/cgroup.events", "populated 1\nfrozen 1\n");
        const std::string path = (tree.path() / cgroup / "memory.reclaim").string();
        EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
        pipe_ = UniqueFd(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
        opened_ = UniqueFd(::inotify_init1(IN_CLOEXEC));
        EXPECT_GE(::inotify_add_watch(opened_.get(), path.c_str(), IN_OPEN), 0);
    }
    // Leaves no room.
    void fill() const {
        const std::string page(PIPE_BUF, 'x');
        while (::write(pipe_.get(), page.data(), page.size()) > 0) {
        }
    }
    // Waits until a step has begun.
    void wait_for_step() const {
        std::array<char, 4096> events{};
        EXPECT_GT(::read(opened_.get(), events.data(), events.size()), 0);
    }
    [[nodiscard]] std::string take() const {
        std::string text;
        std::array<char, 4096> buffer{};
        for (ssize_t size = 0; (size = ::read(pipe_.get(), buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(size));
        return text;
    }

private:
    UniqueFd pipe_;
    UniqueFd opened_;
};

class EvictorTest : public testing::Test {
protected:
    void add(const std::string& cgroup, const std::string& bytes) {
        tree_.file(cgroup + "/memory.current", bytes + "\n").file(cgroup + "/memory.reclaim", "");
    }

    // Waits for the thread's result.
    void evict_part(const std::string& cgroup, Bytes bytes) {
        EXPECT_TRUE(evictor_.evict_part(cgroup, bytes));
        evictor_.wait();
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    ReclaimingEvictor evictor_{root_, std::chrono::milliseconds(0)};
};

TEST_F(EvictorTest, AsksForAllInSteps) {
    add("a", "4096");
    add("b", "900000000");
    EXPECT_TRUE(evictor_.evict("a"));
    EXPECT_TRUE(evictor_.evict("b"));
    evictor_.wait();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "4096");
    EXPECT_EQ(tree_.text("b/memory.reclaim"), std::to_string(ReclaimingEvictor::step_bytes));
}

TEST_F(EvictorTest, AsksForNothingWhereNothingIs) {
    add("a", "0");
    EXPECT_TRUE(evictor_.evict("a"));
    evictor_.wait();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "");
}

TEST_F(EvictorTest, GoesOnAfterWhatCannotBeDone) {
    tree_.file("old/memory.current", "4096\n");  // a kernel without memory.reclaim
    add("b", "4096");
    EXPECT_TRUE(evictor_.evict("vanished"));
    EXPECT_TRUE(evictor_.evict("old"));
    EXPECT_TRUE(evictor_.evict("b"));
    evictor_.wait();
    EXPECT_EQ(tree_.text("b/memory.reclaim"), "4096");
}

TEST_F(EvictorTest, SparedOnesAreNotWaitedFor) {
    // Enough memory to keep its steps going for ever.
    add("a", "18000000000000000000");
    add("b", "4096");
    EXPECT_TRUE(evictor_.evict("a"));
    EXPECT_TRUE(evictor_.evict("b"));
    evictor_.spare("a");
    evictor_.wait();
    EXPECT_EQ(tree_.text("b/memory.reclaim"), "4096");
}

TEST_F(EvictorTest, ASmallPartIsOneStep) {
    add("a", "900000000");
    tree_.file("a/cgroup.events", "populated 1\nfrozen 1\n");
    evict_part("a", Bytes(10'000'000));
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "10000000");
    EXPECT_FALSE(evictor_.evicts_parts());
}

TEST_F(EvictorTest, ALargePartGoesInStepsThatSoonEnd) {
    const ReclaimPipe steps(tree_, "a");
    evict_part("a", Bytes(std::uint64_t{200} << 20));
    const std::string text = steps.take();
    std::uint64_t sum = 0;
    // Each but the last has eight digits: from 16 to 64 MiB.
    for (std::size_t i = 0; i < text.size(); i += 8) {
        const std::uint64_t step = std::stoull(text.substr(i, 8));
        EXPECT_LE(step, core::EvictPace::max_step.count());
        sum += step;
    }
    EXPECT_EQ(sum, std::uint64_t{200} << 20) << text;
    EXPECT_EQ(text.substr(0, 8), std::to_string(core::EvictPace::min_step.count()));
}

// The test reads no step before it says so, as if a disk hung.
TEST_F(EvictorTest, AWithdrawnPartEndsAfterTheStepUnderWay) {
    const ReclaimPipe steps(tree_, "a");
    steps.fill();
    EXPECT_TRUE(evictor_.evict_part("a", Bytes(std::uint64_t{900} << 20)));
    steps.wait_for_step();
    evictor_.spare("a");
    EXPECT_TRUE(evictor_.evicts_parts()) << "the kernel is not done";
    std::string text;
    while (evictor_.evicts_parts())
        text += steps.take();
    evictor_.wait();
    text += steps.take();
    EXPECT_EQ(text.substr(text.rfind('x') + 1), std::to_string(core::EvictPace::min_step.count()));
}

TEST_F(EvictorTest, NoPartIsTakenFromARunningContribution) {
    for (const char* events : {"populated 1\nfrozen 0\n", "", "populated 1\n"}) {
        add("a", "900000000");
        tree_.file("a/cgroup.events", events);
        evict_part("a", Bytes(4096));
        EXPECT_EQ(tree_.text("a/memory.reclaim"), "") << events;
    }
    evict_part("vanished", Bytes(4096));
}

TEST_F(EvictorTest, AWithdrawnPartIsNotWaitedFor) {
    ReclaimingEvictor patient(root_, std::chrono::hours(1));
    add("a", "900000000");
    tree_.file("a/cgroup.events", "populated 1\nfrozen 0\n");
    EXPECT_TRUE(patient.evict_part("a", Bytes(4096)));
    EXPECT_TRUE(patient.evicts_parts());
    patient.spare("a");
    EXPECT_FALSE(patient.evicts_parts());
    patient.wait();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "");
}

TEST_F(EvictorTest, APartGoesBeforeAPause) {
    add("paused", "18000000000000000000");
    add("a", "900000000");
    tree_.file("a/cgroup.events", "populated 1\nfrozen 1\n");
    EXPECT_TRUE(evictor_.evict("paused"));
    EXPECT_TRUE(evictor_.evict_part("a", Bytes(4096)));
    while (evictor_.evicts_parts())
        std::this_thread::yield();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "4096");
    evictor_.spare("paused");
    evictor_.wait();
}

TEST_F(EvictorTest, EndsInTheMiddle) {
    add("a", "18000000000000000000");
    EXPECT_TRUE(evictor_.evict("a"));
}

}  // namespace
}  // namespace tmm::os
