// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/fetcher.hpp"

#include <gtest/gtest.h>

#include <future>

namespace tmm::far {
namespace {

// Has each page, and counts how many are asked for at once.
class CountingStore final : public Store {
public:
    void get(std::span<Get> gets) override {
        sizes.push_back(gets.size());
        for (Get& get : gets)
            get.is_found = true;
    }
    void put(std::span<Put> /*puts*/) override {}
    void drop(std::span<const EntryId> /*entries*/) override {}
    [[nodiscard]] std::string name() const override { return "counting"; }

    std::vector<std::size_t> sizes;
};

// Returns the sizes of the batches in which ten prefetches are got.
std::vector<std::size_t> batches(std::uint64_t bytes_per_s) {
    constexpr std::size_t nr_pages = 10;
    CountingStore store;
    std::mutex gets;
    std::vector<char> slots(nr_pages * page_bytes);
    SharedLink in(bytes_per_s, {});
    SharedLink out(bytes_per_s, {});
    LinkPlace link(in, out, 1);
    std::size_t nr_fetched = 0;
    std::promise<void> done;
    Fetcher* known = nullptr;
    Fetcher fetcher(store, gets, slots.data(), link, [&] {
        nr_fetched += known->take_fetched().size();
        if (nr_fetched == nr_pages)
            done.set_value();
    });
    known = &fetcher;
    std::vector<Prefetch> prefetches;
    for (SlotId slot = 0; slot < nr_pages; ++slot)
        prefetches.push_back({slot, slot, 1, TimePoint::max()});
    fetcher.add(prefetches);
    done.get_future().wait();
    return store.sizes;
}

TEST(FetcherTest, APrefetchHoldsTheLinkForOneTurn) {
    EXPECT_EQ(batches(0), (std::vector<std::size_t>{8, 2}));
    EXPECT_EQ(batches(std::uint64_t{1} << 40), (std::vector<std::size_t>{8, 2}));
    EXPECT_EQ(batches(64 << 20), (std::vector<std::size_t>{4, 4, 2}));
    EXPECT_EQ(batches(16 << 20), std::vector<std::size_t>(10, 1)) << "or a fault waits for eight pages";
}

}  // namespace
}  // namespace tmm::far
