// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/sim/prefetch_policy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <map>
#include <string>

namespace tmm::far {

namespace {

constexpr int max_readahead = 8;

// These peers send what they want whenever the link has time for it.
Wish wish_for(PageNumber page) {
    return {page, TimePoint::max(), {}};
}

class NoPrefetch : public PrefetchPolicy {
public:
    void fault(const PageFault& /*fault*/, Wishes& wishes) override { wishes.clear(); }
};

class Cluster : public PrefetchPolicy {
public:
    void fault(const PageFault& fault, Wishes& wishes) override {
        wishes.clear();
        if (fault.hit) {
            ++nr_hits_;
            return;
        }
        int pages = nr_hits_ + 2;
        if (pages == 2)
            pages = fault.page == last_ + 1 || fault.page + 1 == last_ ? 2 : 1;
        else
            pages = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(pages, 4))));
        pages = std::max(std::min(pages, max_readahead), last_pages_ / 2);
        nr_hits_ = 0;
        last_ = fault.page;
        last_pages_ = pages;
        const PageNumber first = fault.page / static_cast<PageNumber>(pages) * static_cast<PageNumber>(pages);
        for (PageNumber page = first; page < first + static_cast<PageNumber>(pages); ++page) {
            if (page != fault.page)
                wishes.add(wish_for(page));
        }
    }

private:
    int nr_hits_ = 4;  // as Linux begins
    int last_pages_ = 0;
    PageNumber last_ = 0;
};

// Leap also asks at a hit: else it could not cover more than 8 of 9 faults.
class Leap : public PrefetchPolicy {
public:
    void fault(const PageFault& fault, Wishes& wishes) override {
        wishes.clear();
        vote_.fault(fault.page);
        nr_hits_ += fault.hit ? 1 : 0;
        const auto stride = vote_.stride();
        int pages = 0;
        if (nr_hits_ > 0)
            pages = std::min(static_cast<int>(std::bit_ceil(static_cast<unsigned>(nr_hits_ + 1))), max_readahead);
        else if (stride && fault.page - last_ == static_cast<PageNumber>(*stride))
            pages = 1;
        pages = std::max(pages, last_pages_ / 2);
        nr_hits_ = 0;
        last_ = fault.page;
        last_pages_ = pages;
        last_stride_ = stride.value_or(last_stride_);
        for (int i = 1; i <= pages; ++i)
            wishes.add(wish_for(fault.page + static_cast<PageNumber>(last_stride_ * i)));
    }

private:
    MajorityVote vote_;
    std::int64_t last_stride_ = 1;
    int nr_hits_ = 0;
    int last_pages_ = 0;
    PageNumber last_ = 0;
};

class LeapOfThreads : public PrefetchPolicy {
public:
    void fault(const PageFault& fault, Wishes& wishes) override { threads_[fault.thread].fault(fault, wishes); }

private:
    std::map<std::uint32_t, Leap> threads_;
};

class TwoTier : public PrefetchPolicy {
public:
    explicit TwoTier(const PrefetchParts& parts) : prefetcher_(parts) {}

    void fault(const PageFault& fault, Wishes& wishes) override { prefetcher_.fault(fault, wishes); }
    void refused(const Wish& wish) override { prefetcher_.refused(wish); }
    void used(const Origin& origin) override { prefetcher_.used(origin); }
    void late(const Origin& origin) override { prefetcher_.late(origin); }
    void unused(const Origin& origin) override { prefetcher_.unused(origin); }
    void add_edge(PageNumber from, PageNumber to) override { prefetcher_.edges().add(from, to); }

private:
    Prefetcher prefetcher_;
};

constexpr std::array<std::string_view, 6> kind_names{"none", "cluster", "leap-shared", "leap", "leap-thread", "two-tier"};

}  // namespace

Result<PrefetchKind> prefetch_kind(std::string_view name) {
    const auto found = std::find(kind_names.begin(), kind_names.end(), name);
    if (found == kind_names.end())
        return Error(EINVAL, "no prefetcher '" + std::string(name) + "'");
    return static_cast<PrefetchKind>(found - kind_names.begin());
}

std::shared_ptr<PrefetchPolicy> make_prefetch_policy(PrefetchKind kind, const PrefetchParts& parts) {
    switch (kind) {
        case PrefetchKind::none:
            return std::make_shared<NoPrefetch>();
        case PrefetchKind::cluster:
            return std::make_shared<Cluster>();
        case PrefetchKind::leap_shared:
        case PrefetchKind::leap:
            return std::make_shared<Leap>();
        case PrefetchKind::leap_thread:
            return std::make_shared<LeapOfThreads>();
        case PrefetchKind::two_tier:
            break;
    }
    return std::make_shared<TwoTier>(parts);
}

}  // namespace tmm::far
