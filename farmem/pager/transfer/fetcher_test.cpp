// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/fetcher.hpp"

#include <gtest/gtest.h>

#include <future>
#include <utility>

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

// Holds whoever asks first until it is told to go on.
class HoldingStore final : public Store {
public:
    void get(std::span<Get> /*gets*/) override {
        if (!std::exchange(has_held_, true)) {
            is_asked.set_value();
            goes_on.get_future().wait();
        }
    }
    void put(std::span<Put> /*puts*/) override {}
    void drop(std::span<const EntryId> /*entries*/) override {}
    [[nodiscard]] std::string name() const override { return "holding"; }

    std::promise<void> is_asked;
    std::promise<void> goes_on;

private:
    bool has_held_ = false;
};

TEST(FetcherTest, APrefetchThatIsNeededIsCancelledUnlessItWasSent) {
    constexpr SlotId nr_pages = 10;
    HoldingStore store;
    std::mutex gets;
    std::vector<char> slots(std::size_t{nr_pages} * page_bytes);
    SharedLink in(0, {});
    SharedLink out(0, {});
    LinkPlace link(in, out, 1);
    Fetcher fetcher(store, gets, slots.data(), link, [] {});
    std::vector<Prefetch> prefetches;
    for (SlotId slot = 0; slot < nr_pages; ++slot)
        prefetches.push_back({slot, slot, 1, TimePoint::max()});
    fetcher.add(prefetches);
    store.is_asked.get_future().wait();
    EXPECT_EQ(fetcher.need(0), Fetcher::Needed::sent);
    EXPECT_EQ(fetcher.need(nr_pages - 1), Fetcher::Needed::cancelled);
    EXPECT_EQ(fetcher.need(nr_pages - 1), Fetcher::Needed::sent) << "it is not here any more";
    store.goes_on.set_value();
}

}  // namespace
}  // namespace tmm::far
