// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PrefetchPolicy: TMM's prefetcher and those of others, as the simulator sees them.
// - cluster: Linux's readahead of swap, up to 8 pages around a fault that waits (mm/swap_state.c, page_cluster 3)
// - leap: Leap (Maruf, Chowdhury, ATC'20) over the faults of all programs, or of each program, or of each thread
// - two_tier: farmem/core/prefetch
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "farmem/core/prefetch/prefetcher.hpp"

namespace tmm::far {

enum class PrefetchKind : std::uint8_t { none, cluster, leap_shared, leap, leap_thread, two_tier };

// Error: EINVAL, an unknown name.
Result<PrefetchKind> prefetch_kind(std::string_view name);

class PrefetchPolicy {
public:
    virtual ~PrefetchPolicy() = default;
    virtual void fault(const PageFault& fault, Wishes& wishes) = 0;
    virtual void refused(const Wish& /*wish*/) {}
    virtual void used(const Origin& /*origin*/) {}
    virtual void late(const Origin& /*origin*/) {}
    virtual void unused(const Origin& /*origin*/) {}
    virtual void add_edge(PageNumber /*from*/, PageNumber /*to*/) {}
};

// parts: of two_tier.
std::shared_ptr<PrefetchPolicy> make_prefetch_policy(PrefetchKind kind, const PrefetchParts& parts);

}  // namespace tmm::far
