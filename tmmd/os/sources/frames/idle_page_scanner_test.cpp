// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/idle_page_scanner.hpp"

#include <gtest/gtest.h>
#include <linux/kernel-page-flags.h>
#include <linux/tmm.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t bit(int number) {
    return std::uint64_t{1} << number;
}
constexpr std::uint64_t lru = bit(KPF_LRU);
constexpr std::uint64_t anonymous = bit(KPF_LRU) | bit(KPF_SWAPBACKED);

const std::string transparent_slice = "sys/fs/cgroup/transparent.slice";
const std::string bitmap = "sys/kernel/mm/page_idle/bitmap";

// A machine of 128 frames, all of them outside the lists unless a test says otherwise.
class IdlePageScannerTest : public testing::Test {
protected:
    IdlePageScannerTest() {
        tree_.file("sys/fs/cgroup/cgroup.controllers", "memory\n").dir(transparent_slice + "/task");
        words(bitmap, {0, 0});
        counters(0, 0, 0);
    }

    void words(const std::string& path, const Words& words) {
        tree_.file(path, std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]));
    }
    [[nodiscard]] Words words(const std::string& path) const {
        const std::string text = tree_.text(path);
        Words words(text.size() / sizeof(std::uint64_t));
        std::memcpy(words.data(), text.data(), words.size() * sizeof words[0]);
        return words;
    }
    [[nodiscard]] std::uint64_t inode(const std::string& path) const {
        struct stat status {};
        EXPECT_EQ(::stat((tree_.path() / path).c_str(), &status), 0);
        return status.st_ino;
    }
    void counters(int machine_stolen, int guest_stolen, int refaults) {
        const auto text = [](int stolen, int refaulted) {
            return "pgsteal_kswapd " + std::to_string(stolen) + "\npgsteal_direct " + std::to_string(stolen) +
                   "\nworkingset_refault_anon " + std::to_string(refaulted) + "\nworkingset_refault_file 0\n";
        };
        tree_.file("proc/vmstat", text(machine_stolen, refaults)).file(transparent_slice + "/memory.stat", text(guest_stolen, 0));
    }
    IdlePageScanner open() {
        Words flags(128, 0);
        Words cgroups(128, 1);
        for (const auto& [pfn, flag] : flags_)
            flags[pfn] = flag;
        for (const auto& [pfn, cgroup] : cgroups_)
            cgroups[pfn] = cgroup;
        words("proc/kpageflags", flags);
        words("proc/kpagecgroup", cgroups);
        auto scanner = IdlePageScanner::open(root_);
        EXPECT_TRUE(scanner) << scanner.error().message();
        scanner->follow({transparent_slice});
        return *std::move(scanner);
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    std::map<std::uint64_t, std::uint64_t> flags_;
    std::map<std::uint64_t, std::uint64_t> cgroups_;
};

TEST_F(IdlePageScannerTest, ReportsWhatIsOnALruList) {
    flags_ = {{1, anonymous}, {2, bit(KPF_SLAB)}, {3, bit(KPF_NOPAGE)}, {70, lru | bit(KPF_UNEVICTABLE)}};
    IdlePageScanner scanner = open();
    const auto found = scanner.scan(0, 7);
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ(TMM_FRAME_PFN((*found)[0]), 1U);
    EXPECT_EQ(TMM_FRAME_ORDER((*found)[0]), 0U);
    EXPECT_EQ((*found)[0] & (TMM_FRAME_REF | TMM_FRAME_CLASS | TMM_FRAME_FILE | TMM_FRAME_UNEVICTABLE), TMM_FRAME_REF);
    EXPECT_EQ(TMM_FRAME_PFN((*found)[1]), 70U);
    EXPECT_EQ((*found)[1] & (TMM_FRAME_FILE | TMM_FRAME_UNEVICTABLE), TMM_FRAME_FILE | TMM_FRAME_UNEVICTABLE);
}

TEST_F(IdlePageScannerTest, MarksPagesIdleAndReportsTheirNextUse) {
    flags_ = {{1, anonymous}, {5, anonymous}, {64, anonymous}};
    IdlePageScanner scanner = open();
    ASSERT_TRUE(scanner.scan(0, 7));
    EXPECT_EQ(words(bitmap), (Words{bit(1) | bit(5), bit(0)}));
    words(bitmap, {bit(5), bit(0)});  // the kernel clears the bit of a page that is used
    const auto found = scanner.scan(0, 7);
    ASSERT_TRUE(found);
    EXPECT_NE((*found)[0] & TMM_FRAME_REF, 0U);
    EXPECT_EQ((*found)[1] & TMM_FRAME_REF, 0U);
    EXPECT_EQ((*found)[2] & TMM_FRAME_REF, 0U);
}

TEST_F(IdlePageScannerTest, KnowsContributionsByTheirCgroups) {
    flags_ = {{1, anonymous}, {2, anonymous}, {3, anonymous}};
    cgroups_ = {{1, inode(transparent_slice)}, {2, inode(transparent_slice + "/task")}};
    IdlePageScanner scanner = open();
    const auto found = scanner.scan(0, 7);
    ASSERT_TRUE(found);
    EXPECT_NE((*found)[0] & TMM_FRAME_CLASS, 0U);
    EXPECT_NE((*found)[1] & TMM_FRAME_CLASS, 0U);
    EXPECT_EQ((*found)[2] & TMM_FRAME_CLASS, 0U);
}

TEST_F(IdlePageScannerTest, ReportsALargeFolioOnce) {
    flags_[16] = anonymous | bit(KPF_COMPOUND_HEAD);
    for (std::uint64_t pfn = 17; pfn < 32; ++pfn)
        flags_[pfn] = anonymous | bit(KPF_COMPOUND_TAIL);
    flags_[32] = anonymous;
    IdlePageScanner scanner = open();
    for (const std::uint32_t shift : {0U, 2U, 5U}) {
        words(bitmap, {0, 0});
        const auto found = scanner.scan(shift, 3);
        ASSERT_TRUE(found);
        ASSERT_FALSE(found->empty()) << shift;
        EXPECT_EQ(TMM_FRAME_PFN((*found)[0]), 16U) << shift;
        EXPECT_EQ(TMM_FRAME_ORDER((*found)[0]), 4U) << shift;
        EXPECT_EQ(words(bitmap)[0] & ~bit(32), bit(16)) << shift;
        if (shift == 0) {
            EXPECT_EQ(found->size(), 2U);
        }
    }
}

TEST_F(IdlePageScannerTest, SamplesTheSameFramesEachTime) {
    for (std::uint64_t pfn = 0; pfn < 128; ++pfn)
        flags_[pfn] = anonymous;
    IdlePageScanner scanner = open();
    const auto pfns = [&](std::uint32_t shift, std::uint64_t seed) {
        Words found;
        const auto scanned = scanner.scan(shift, seed);
        for (const std::uint64_t word : *scanned)
            found.push_back(TMM_FRAME_PFN(word));
        return found;
    };
    const Words first = pfns(3, 7);
    EXPECT_EQ(first.size(), 16U);
    for (std::size_t block = 0; block < first.size(); ++block)
        EXPECT_EQ(first[block] / 8, block);
    EXPECT_EQ(pfns(3, 7), first);
    EXPECT_NE(pfns(3, 8), first);
    EXPECT_EQ(pfns(0, 7).size(), 128U);
    EXPECT_EQ(pfns(4, 7).size(), 8U);
}

TEST_F(IdlePageScannerTest, AFrameOfAnotherCgroupIsAnotherPage) {
    flags_ = {{1, anonymous}};
    IdlePageScanner scanner = open();
    const auto before = TMM_FRAME_TAG(scanner.scan(0, 7).value()[0]);
    EXPECT_EQ(TMM_FRAME_TAG(scanner.scan(0, 7).value()[0]), before);
    cgroups_ = {{1, 77}};
    EXPECT_NE(TMM_FRAME_TAG(open().scan(0, 7).value()[0]), before);
    cgroups_ = {};
    flags_ = {{1, lru}};
    EXPECT_NE(TMM_FRAME_TAG(open().scan(0, 7).value()[0]), before);
}

TEST_F(IdlePageScannerTest, CountsOpaqueEvictionsAndRefaults) {
    IdlePageScanner scanner = open();
    ASSERT_TRUE(scanner.scan(0, 7));
    ASSERT_TRUE(scanner.poll_refaults(1024));
    counters(50, 20, 5);
    ASSERT_TRUE(scanner.poll_refaults(1024)) << "they count one call later";
    const auto counts = scanner.poll_refaults(1024);
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->evictions, 60U);
    EXPECT_EQ(counts->unit, core::Pages(60));
    ASSERT_EQ(counts->counts.size(), 1U);
    EXPECT_EQ(counts->counts[0], 5U);
    EXPECT_EQ(scanner.poll_refaults(1024)->counts[0], 0U);
}

TEST_F(IdlePageScannerTest, OnlyContributionsThatItIsToldOfAreTransparent) {
    flags_ = {{1, anonymous}};
    cgroups_ = {{1, inode(transparent_slice)}};
    IdlePageScanner scanner = open();
    scanner.follow({});
    EXPECT_EQ(scanner.scan(0, 7).value()[0] & TMM_FRAME_CLASS, 0U);
    scanner.follow({transparent_slice});
    EXPECT_NE(scanner.scan(0, 7).value()[0] & TMM_FRAME_CLASS, 0U);
}

// The multi-gen LRU of an unpatched kernel leaves the idle flag when read(2) uses a page.
TEST_F(IdlePageScannerTest, LeavesOutUnmappedFilesWhereItMissesTheirUse) {
    flags_ = {{1, anonymous}, {2, lru}, {3, lru | bit(KPF_MMAP)}};
    const auto pfns = [](const Words& found) {
        Words pfns;
        for (const std::uint64_t word : found)
            pfns.push_back(TMM_FRAME_PFN(word));
        return pfns;
    };
    IdlePageScanner classic = open();
    EXPECT_FALSE(classic.leaves_out_unmapped_files());
    EXPECT_EQ(pfns(classic.scan(0, 7).value()), (Words{1, 2, 3}));
    tree_.file("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
    EXPECT_EQ(classic.scan(0, 7).error().code(), ESTALE) << "it changed";
    words(bitmap, {0, 0});
    IdlePageScanner multi_gen = open();
    EXPECT_TRUE(multi_gen.leaves_out_unmapped_files());
    EXPECT_EQ(pfns(multi_gen.scan(0, 7).value()), (Words{1, 3}));
    EXPECT_EQ(words(bitmap)[0], bit(1) | bit(3)) << "the other costs nothing";
    tree_.dir("sys/kernel/mm/tmm");
    EXPECT_FALSE(open().leaves_out_unmapped_files()) << "patch 1";
}

TEST_F(IdlePageScannerTest, ALostCounterIsAnError) {
    IdlePageScanner scanner = open();
    tree_.file("proc/vmstat", "pgsteal_kswapd 1\n");
    EXPECT_FALSE(scanner.poll_refaults(1024));
}

TEST_F(IdlePageScannerTest, AKernelWithoutTheBitmapIsNamed) {
    std::filesystem::remove(tree_.path() / bitmap);
    const auto refused = IdlePageScanner::open(root_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ENODEV);
    EXPECT_NE(refused.error().message().find("CONFIG_IDLE_PAGE_TRACKING"), std::string::npos);
}

// On aarch64 with pages of 16 and 64 KiB. Since Linux 6.10 tails show KPF_LRU as their head does.
TEST(IdlePageScanner, AHugePageOfLargePagesIsOneWord) {
    for (const std::uint64_t order : {9, 11, 13}) {
        TempTree tree;
        const auto words = [&](const std::string& path, const Words& words) {
            tree.file(path, std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]));
        };
        Words flags;
        for (std::uint64_t i = 0; i < std::uint64_t{2} << order; ++i)
            flags.push_back(anonymous | bit(i % (std::uint64_t{1} << order) == 0 ? KPF_COMPOUND_HEAD : KPF_COMPOUND_TAIL));
        words("proc/kpageflags", flags);
        words("proc/kpagecgroup", Words(flags.size(), 1));
        words(bitmap, Words(flags.size() / 64, 0));
        tree.file("sys/fs/cgroup/cgroup.controllers", "memory\n")
            .file("proc/vmstat", "pgsteal_kswapd 0\npgsteal_direct 0\nworkingset_refault_anon 0\nworkingset_refault_file 0\n");
        const RootDir root = tree.root();
        auto scanner = IdlePageScanner::open(root);
        ASSERT_TRUE(scanner) << scanner.error().message();
        const auto found = scanner->scan(0, 7);
        ASSERT_TRUE(found) << found.error().message();
        ASSERT_EQ(found->size(), 2U) << order;
        EXPECT_EQ(TMM_FRAME_ORDER(found->back()), order);
    }
}

}  // namespace
}  // namespace tmm::os
