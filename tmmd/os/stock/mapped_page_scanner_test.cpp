// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/mapped_page_scanner.hpp"

#include <gtest/gtest.h>
#include <linux/tmm.h>
#include <linux/tmm_mapped.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

using Words = std::vector<std::uint64_t>;

TEST(MappedPageScanner, AMissingModuleSaysWhatToDo) {
    TempTree tree;
    tree.dir("dev");
    const auto scanner = MappedPageScanner::open(tree.root());
    ASSERT_FALSE(scanner);
    EXPECT_EQ(scanner.error().code(), ENODEV);
    EXPECT_NE(scanner.error().message().find("tmm-dkms"), std::string::npos);
}

TEST(MappedPageScanner, WhatIsNotTheDeviceFailsAtTheFirstQuestion) {
    TempTree tree;
    const RootDir root = tree.file("dev/tmm-mapped", "").root();
    auto scanner = MappedPageScanner::open(root);
    ASSERT_TRUE(scanner);
    EXPECT_EQ(scanner->scan(0, 0).error().message(), "/dev/tmm-mapped: TMM_MAPPED_SCAN: Inappropriate ioctl for device");
}

// The frames of each process, by pid. A call looks at `pages_per_call` of them, as if a signal had ended it then.
class FakeProcesses {
public:
    explicit FakeProcesses(std::map<std::uint64_t, Words> words, std::size_t pages_per_call = SIZE_MAX)
        : words_(std::move(words)), pages_per_call_(pages_per_call) {}

    int operator()(tmm_mapped_scan& request) {
        ++calls_;
        auto* const out = reinterpret_cast<std::uint64_t*>(request.vec);
        std::size_t got = 0;
        for (auto process = words_.lower_bound(request.walk_pid); process != words_.end(); ++process) {
            std::uint64_t page = process->first == request.walk_pid ? request.walk_address : 0;
            for (; page < process->second.size(); ++page) {
                if (got == request.vec_len || got == pages_per_call_) {
                    request.walk_pid = process->first;
                    request.walk_address = page;
                    return static_cast<int>(got);
                }
                out[got++] = process->second[page];
            }
        }
        request.walk_pid = TMM_MAPPED_END;
        return static_cast<int>(got);
    }
    [[nodiscard]] int calls() const { return calls_; }

private:
    std::map<std::uint64_t, Words> words_;
    std::size_t pages_per_call_;
    int calls_ = 0;
};

Words frames(std::uint64_t first, std::size_t count) {
    Words words(count);
    for (std::size_t i = 0; i < count; ++i)
        words[i] = first + i;
    return words;
}

TEST(MappedPageScanner, AScanGoesOnAfterAFullBuffer) {
    FakeProcesses processes({{7, frames(20'000, 20'000)}, {9, frames(0, 20'000)}});
    const auto words = scan_all_mapped(std::ref(processes), 0, 0, {});
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, frames(0, 40'000));
    EXPECT_EQ(processes.calls(), 5);
}

TEST(MappedPageScanner, AScanGoesOnAfterASignal) {
    FakeProcesses processes({{7, frames(0, 100)}, {9, frames(100, 100)}}, 64);
    const auto words = scan_all_mapped(std::ref(processes), 0, 0, {});
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, frames(0, 200));
}

TEST(MappedPageScanner, AScanBeginsAgainIfASignalCameFirst) {
    FakeProcesses processes({{7, frames(0, 100)}});
    int calls = 0;
    const auto words = scan_all_mapped(
        [&](tmm_mapped_scan& request) {
            errno = EINTR;
            return ++calls > 1 ? processes(request) : -1;
        },
        0, 0, {});
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, frames(0, 100));
}

TEST(MappedPageScanner, AFrameOfSeveralProcessesIsUsedIfOneUsedIt) {
    const std::uint64_t tag = std::uint64_t{5} << 36;
    FakeProcesses processes({{1, {3 | tag, 4 | tag}}, {2, {4 | tag | TMM_FRAME_REF, 3 | tag}}, {3, {4 | tag}}});
    const auto words = scan_all_mapped(std::ref(processes), 0, 0, {});
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, (Words{3 | tag, 4 | tag | TMM_FRAME_REF}));
}

// A thousand processes that share their memory cost no more memory than a few.
TEST(MappedPageScanner, WordsOfTheSameFramesDoNotPileUp) {
    constexpr int processes = 1000;
    int calls = 0;
    const auto words = scan_all_mapped(
        [&](tmm_mapped_scan& request) {
            const Words some = frames(0, TMM_MAPPED_VEC_MAX);
            std::copy(some.begin(), some.end(), reinterpret_cast<std::uint64_t*>(request.vec));
            if (++calls == processes)
                request.walk_pid = TMM_MAPPED_END;
            return TMM_MAPPED_VEC_MAX;
        },
        0, 0, {});
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, frames(0, TMM_MAPPED_VEC_MAX));
    EXPECT_LE(words->capacity(), 32U * TMM_MAPPED_VEC_MAX);
}

TEST(MappedPageScanner, TheModuleIsToldWhatToLookAt) {
    const Words cgroups{11, 12};
    tmm_mapped_scan asked{};
    const auto words = scan_all_mapped(
        [&](tmm_mapped_scan& request) {
            asked = request;
            request.walk_pid = TMM_MAPPED_END;
            return 0;
        },
        5, 42, cgroups);
    ASSERT_TRUE(words);
    EXPECT_EQ(asked.size, sizeof asked);
    EXPECT_EQ(asked.shift, 5U);
    EXPECT_EQ(asked.seed, 42U);
    EXPECT_EQ(asked.nr_cgroups, 2U);
    EXPECT_EQ(reinterpret_cast<const std::uint64_t*>(asked.cgroups), cgroups.data());
}

TEST(MappedPageScanner, RefaultsComeFromTheCounters) {
    TempTree tree;
    tree.file("proc/vmstat", "pgsteal_kswapd 10\npgsteal_direct 5\nworkingset_refault_anon 1\nworkingset_refault_file 2\n");
    const RootDir root = tree.file("dev/tmm-mapped", "").root();
    auto scanner = MappedPageScanner::open(root);
    ASSERT_TRUE(scanner);
    ASSERT_TRUE(scanner->poll_refaults(1));
    tree.file("proc/vmstat", "pgsteal_kswapd 30\npgsteal_direct 5\nworkingset_refault_anon 4\nworkingset_refault_file 6\n");
    const auto counts = scanner->poll_refaults(1);
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->evictions, 20U);
    EXPECT_EQ(counts->counts[0], 7U);
}

}  // namespace
}  // namespace tmm::os
