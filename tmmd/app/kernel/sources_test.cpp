// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/kernel/sources.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "base/temp_tree.hpp"

namespace tmm::app {
namespace {

// A machine without the patches.
// Reads in this process.
class UnhelpedFootprints : public os::Footprints {
public:
    explicit UnhelpedFootprints(os::ProcFootprints footprints) : footprints_(std::move(footprints)) {}
    bool prepare(const std::vector<std::string>&) override { return true; }
    Result<std::map<core::CgroupId, core::Footprint>> read(const std::vector<std::string>& transparent_cgroups) override {
        return footprints_.read(transparent_cgroups);
    }
    Result<void> clear() override { return footprints_.clear(); }
    [[nodiscard]] core::Seconds cpu_time() const override { return core::Seconds(0); }

private:
    os::ProcFootprints footprints_;
};

// Nobody holds a file open.
class FewOpenFiles : public os::OpenFiles {
public:
    bool prepare(const std::vector<std::string>&) override { return true; }
    Result<core::ReadFilesByCgroup> read(const std::vector<std::string>&) override { return core::ReadFilesByCgroup(); }
};

class SourcesTest : public testing::Test {
protected:
    SourcesTest() { tree_.file("proc/meminfo", "MemTotal: 65536 kB\n").file("proc/vmstat", counters); }
    void add_bitmap() {
        // One frame, which is on no list.
        const std::string word(8, '\0');
        tree_.file("sys/kernel/mm/page_idle/bitmap", word).file("proc/kpageflags", word).file("proc/kpagecgroup", word);
    }
    void add_generations() {
        tree_.file("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
        tree_.file("sys/kernel/debug/lru_gen", "memcg 1 /\n node 0\n 0 1 0 0\n 1 1 0 0\n");
    }
    void add_processes() {
        const std::string sizes = "Rss: 8 kB\nReferenced: 4 kB\nPss_Anon: 8 kB\nPss_File: 0 kB\nPss_Shmem: 0 kB\n";
        tree_.file("proc/1/cgroup", "0::/\n").file("proc/1/smaps_rollup", sizes).file("proc/1/clear_refs", "");
    }
    std::unique_ptr<os::SampleSource> open(std::string_view wanted = {}) {
        auto source = open_best_source(root_, config::Config(), wanted, tools_);
        EXPECT_TRUE(source) << source.error().message();
        return *std::move(source);
    }
    [[nodiscard]] std::string describe(std::string_view wanted = {}) const {
        return describe_sources(root_, config::Config(), wanted, tools_);
    }
    // Returns the state of a source in the text of describe_sources().
    static std::string state_of(const std::string& text, const std::string& id) {
        const std::string head = "  state:    ";
        const auto source = ("\n" + text).find("\n" + id + ": ");
        const auto begin = text.find(head, source) + head.size();
        return text.substr(begin, text.find('\n', begin) - begin);
    }

    static constexpr const char* counters =
        "pgsteal_kswapd 0\npgsteal_direct 0\nworkingset_refault_anon 0\nworkingset_refault_file 0\n";
    TempTree tree_;
    RootDir root_ = tree_.root();
    SourceTools tools_{
        .own_cpu_time = [] { return core::Seconds(0); },
        .open_footprints = [this]() -> Result<std::unique_ptr<os::Footprints>> {
            auto opened = os::ProcFootprints::open(root_);
            if (!opened)
                return std::move(opened).error();
            return std::unique_ptr<os::Footprints>(std::make_unique<UnhelpedFootprints>(*std::move(opened)));
        },
        .open_files = [](os::FileKinds) -> std::unique_ptr<os::OpenFiles> { return std::make_unique<FewOpenFiles>(); }};
};

// /dev/tmm can be open once.
TEST_F(SourcesTest, TheOneThatARunningDaemonHasIsItsChoice) {
    tools_.open_footprints = [] { return Error(EBUSY, "in use"); };
    EXPECT_EQ(state_of(describe(), "footprint"), "in use by the tmmd that runs");
    EXPECT_EQ(state_of(describe(), "none"), "available");
}

TEST_F(SourcesTest, TheBestOfAStockKernelIsChosen) {
    EXPECT_EQ(open()->traits().id, "none");
    add_processes();
    EXPECT_EQ(open()->traits().id, "footprint");
    add_generations();
    EXPECT_EQ(open()->traits().id, "mglru");
    add_bitmap();
    EXPECT_EQ(open()->traits().id, "idle");
}

TEST_F(SourcesTest, GenerationsThatVanishLeaveNoSamples) {
    add_generations();
    const auto source = open();
    ASSERT_TRUE(source->sample());
    std::filesystem::remove(tree_.path() / "sys/kernel/debug/lru_gen");
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "none");
    EXPECT_FALSE(source->traits().can_learn);
    EXPECT_NE(source->problem().find("debugfs is not mounted"), std::string::npos) << source->problem();
    add_generations();
    for (int i = 0; i < 60; ++i)
        ASSERT_TRUE(source->poll_refaults());
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "mglru");
    EXPECT_EQ(source->problem(), "");
}

// As when debugfs is locked down.
TEST_F(SourcesTest, FootprintsStandInForGenerations) {
    add_generations();
    add_processes();
    const auto source = open();
    std::filesystem::remove(tree_.path() / "sys/kernel/debug/lru_gen");
    ASSERT_TRUE(source->sample());
    EXPECT_EQ(source->traits().id, "footprint");
    EXPECT_TRUE(source->traits().can_learn);
    EXPECT_EQ(tree_.text("proc/1/clear_refs"), "1");
}

TEST_F(SourcesTest, OnlyThoseThatMissReadsLookAtFiles) {
    std::vector<os::FileKinds> asked;
    tools_.open_files = [&](os::FileKinds kinds) -> std::unique_ptr<os::OpenFiles> {
        asked.push_back(kinds);
        return std::make_unique<FewOpenFiles>();
    };
    add_bitmap();
    open("idle");
    EXPECT_TRUE(asked.empty()) << "the classic LRU";
    add_generations();
    for (const char* source : {"idle", "mglru"})
        open(source);
    EXPECT_EQ(asked, (std::vector{os::FileKinds::unmapped, os::FileKinds::open_and_mapped}));
}

TEST_F(SourcesTest, TheHelperIsForStockKernels) {
    EXPECT_TRUE(may_need_helper(root_, ""));
    EXPECT_TRUE(may_need_helper(root_, "idle"));
    EXPECT_FALSE(may_need_helper(root_, "none"));
    tree_.dir("sys/kernel/mm/tmm");
    EXPECT_FALSE(may_need_helper(root_, ""));
    EXPECT_TRUE(may_need_helper(root_, "mglru"));
}

TEST_F(SourcesTest, AnotherMayBeWanted) {
    add_generations();
    add_bitmap();
    EXPECT_EQ(open("mglru")->traits().id, "mglru");
    EXPECT_EQ(open("none")->traits().id, "none");
    const auto missing = open_best_source(root_, config::Config(), "tmm", tools_);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message().find("dev/tmm"), std::string::npos);
}

// The limits of the patched kernel belong to its device.
TEST_F(SourcesTest, ThePatchedKernelHasNoOther) {
    add_bitmap();
    tree_.dir("sys/kernel/mm/tmm");
    EXPECT_FALSE(is_stock(root_));
    EXPECT_FALSE(open_best_source(root_, config::Config(), "", tools_));
    EXPECT_EQ(open("idle")->traits().id, "idle");
    const std::string text = describe();
    EXPECT_EQ(state_of(text, "tmm").rfind("not available: ", 0), 0U) << text;
    EXPECT_EQ(state_of(text, "idle"), "available");
    EXPECT_NE(text.find("None of the sources that tmmd may use here is available."), std::string::npos);
}

TEST_F(SourcesTest, EachIsDescribedWithItsReason) {
    add_generations();
    const std::string text = describe();
    EXPECT_EQ(state_of(text, "tmm").rfind("not available: ", 0), 0U) << text;
    EXPECT_NE(state_of(text, "idle").find("CONFIG_IDLE_PAGE_TRACKING"), std::string::npos) << text;
    EXPECT_EQ(state_of(text, "mglru"), "chosen");
    EXPECT_EQ(state_of(text, "none"), "available");
    std::size_t costs = 0;
    for (auto at = text.find("  cost: "); at != std::string::npos; at = text.find("  cost: ", at + 1))
        ++costs;
    EXPECT_EQ(costs, source_ids().size());
    EXPECT_EQ(state_of(describe("none"), "none"), "chosen");
    EXPECT_EQ(state_of(describe("none"), "mglru"), "available");
}

}  // namespace
}  // namespace tmm::app
