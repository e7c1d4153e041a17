// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/fetcher.hpp"

#include <gtest/gtest.h>

#include <future>

namespace tmm::far {
namespace {

// Has the pages of even entries, and counts how many are asked for at once.
class CountingStore final : public Store {
public:
    void get(std::span<Get> gets) override {
        sizes.push_back(gets.size());
        for (Get& get : gets) {
            get.is_found = get.entry % 2 == 0;
            *get.page = static_cast<char>(get.entry);
        }
    }
    void put(std::span<Put> /*puts*/) override {}
    void drop(std::span<const EntryId> /*entries*/) override {}
    [[nodiscard]] std::string name() const override { return "counting"; }

    std::vector<std::size_t> sizes;
};

TEST(FetcherTest, FillsTheSlotsOfEachBatch) {
    constexpr SlotId nr_slots = 4;
    CountingStore store;
    std::mutex gets;
    std::vector<char> slots(nr_slots * page_bytes);
    std::vector<Fetcher::Fetched> fetched;
    std::promise<void> done;
    Fetcher* known = nullptr;
    Fetcher fetcher(store, gets, slots.data(), [&] {
        for (const Fetcher::Fetched& one : known->take_fetched())
            fetched.push_back(one);
        if (fetched.size() == 3)
            done.set_value();
    });
    known = &fetcher;
    fetcher.add({{6, 3, 1, {}}, {7, 1, 1, {}}});
    fetcher.add({{8, 2, 1, {}}});
    done.get_future().wait();
    EXPECT_EQ(store.sizes, (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(fetched[0].slot, 3U);
    EXPECT_TRUE(fetched[0].is_filled);
    EXPECT_EQ(slots[3 * page_bytes], 6);
    EXPECT_EQ(fetched[1].slot, 1U);
    EXPECT_FALSE(fetched[1].is_filled);
    EXPECT_EQ(slots[2 * page_bytes], 8);
}

}  // namespace
}  // namespace tmm::far
