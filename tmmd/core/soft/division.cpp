// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/soft/division.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "tmmd/core/soft/soft_shares.hpp"

namespace tmm::core {

namespace {

using Steps = std::vector<std::size_t>;

// Returns for each heap how many steps it gets, so that the sum of utilities is the largest.
Steps best_steps(const std::vector<std::vector<double>>& utilities) {
    constexpr std::size_t steps = SoftDivision::steps;
    std::vector<double> best(steps + 1, 0.0);    // of the heaps so far with so many steps in all
    std::vector<Steps> taken(utilities.size());  // by the latest of them
    for (std::size_t heap = 0; heap < utilities.size(); ++heap) {
        std::vector<double> with(steps + 1);
        taken[heap].resize(steps + 1);
        for (std::size_t all = 0; all <= steps; ++all) {
            double most = -1;
            for (std::size_t own = 0; own <= all; ++own) {
                const double sum = best[all - own] + utilities[heap][own];
                if (sum > most) {
                    most = sum;
                    taken[heap][all] = own;
                }
            }
            with[all] = most;
        }
        best = std::move(with);
    }
    Steps result(utilities.size());
    std::size_t left = steps;
    for (std::size_t heap = utilities.size(); heap-- > 0;) {
        result[heap] = taken[heap][left];
        left -= result[heap];
    }
    return result;
}

}  // namespace

double SoftDivision::weight_of(uid_t user) const {
    const auto found = user_weights_.find(user);
    return found == user_weights_.end() ? usual_soft_weight : found->second;
}

// Whoever can use less than one's share leaves the rest to the others, by their weights.
std::map<uid_t, Bytes> SoftDivision::share_among_users(Bytes total, const std::vector<SoftHeap>& heaps) const {
    std::map<uid_t, Bytes> useful;
    for (const SoftHeap& heap : heaps)
        useful[heap.user] += std::min(heap.most_useful(), total);
    std::map<uid_t, Bytes> shares;
    Bytes left = total;
    std::set<uid_t> open;
    for (const auto& [user, bytes] : useful)
        open.insert(user);
    for (bool any_full = true; any_full && !open.empty();) {
        any_full = false;
        double weights = 0;
        for (const uid_t user : open)
            weights += weight_of(user);
        const Bytes before = left;
        for (auto user = open.begin(); user != open.end();) {
            const Bytes fair(static_cast<std::uint64_t>(before.as_double() * weight_of(*user) / weights));
            shares[*user] = fair;
            if (useful[*user] > fair) {
                ++user;
                continue;
            }
            shares[*user] = useful[*user];
            left -= useful[*user];
            user = open.erase(user);
            any_full = true;
        }
    }
    // Nobody can use the rest by what is known; it may serve what is not.
    if (open.empty() && !shares.empty()) {
        for (auto& [user, bytes] : shares)
            bytes += left / shares.size();
    }
    return shares;
}

// Nobody knows the worth of memory to a heap that tells no uses. It keeps what it has, and may grow, up to an equal part.
void SoftDivision::divide_share(Bytes share, const std::vector<const SoftHeap*>& heaps) {
    std::vector<const SoftHeap*> telling;
    Bytes left = share;
    for (const SoftHeap* heap : heaps) {
        if (heap->tells_uses()) {
            telling.push_back(heap);
            continue;
        }
        granted_[heap->id] = std::min(heap->most_useful(), share / heaps.size());
        left -= granted_[heap->id];
    }
    if (!telling.empty()) {
        divide_by_utility(left, telling);
        return;
    }
    for (const SoftHeap* heap : heaps)
        granted_[heap->id] += left / heaps.size();
}

void SoftDivision::divide_by_utility(Bytes share, const std::vector<const SoftHeap*>& heaps) {
    const auto bytes_of = [&](std::size_t n) { return Bytes(share.count() / steps * n); };
    std::vector<std::vector<double>> utilities;
    Bytes granted{0};
    double sum_granted = 0;
    bool all_known = true;
    for (const SoftHeap* heap : heaps) {
        std::vector<double>& of_heap = utilities.emplace_back();
        for (std::size_t n = 0; n <= steps; ++n)
            of_heap.push_back(heap->utility(bytes_of(n)));
        const auto known = granted_.find(heap->id);
        all_known &= known != granted_.end();
        if (all_known) {
            granted += known->second;
            sum_granted += heap->utility(known->second);
        }
    }
    const Steps chosen = best_steps(utilities);
    double sum = 0;
    for (std::size_t i = 0; i < heaps.size(); ++i)
        sum += utilities[i][chosen[i]];
    if (all_known && granted <= share && sum <= (1 + worth_moving) * sum_granted)
        return;
    // Nobody's curve wants the rest; it may serve what no curve knows.
    const Bytes rest = share - bytes_of(std::accumulate(chosen.begin(), chosen.end(), std::size_t{0}));
    for (std::size_t i = 0; i < heaps.size(); ++i)
        granted_[heaps[i]->id] = bytes_of(chosen[i]) + rest / heaps.size();
}

void SoftDivision::average_costs(std::vector<SoftHeap>& heaps) {
    std::map<std::uint64_t, double> averaged;
    for (SoftHeap& heap : heaps) {
        const auto before = rebuild_s_.find(heap.id);
        if (before != rebuild_s_.end())
            heap.rebuild_s = before->second + (heap.rebuild_s - before->second) / averaged_reports;
        averaged[heap.id] = heap.rebuild_s;
    }
    rebuild_s_ = std::move(averaged);
}

std::vector<SoftGrant> SoftDivision::divide(Bytes total, std::vector<SoftHeap> heaps) {
    average_costs(heaps);
    std::map<uid_t, std::vector<const SoftHeap*>> of_users;
    for (const SoftHeap& heap : heaps)
        of_users[heap.user].push_back(&heap);
    std::erase_if(granted_, [&](const auto& one) { return !rebuild_s_.contains(one.first); });
    const std::map<uid_t, Bytes> shares = share_among_users(total, heaps);
    for (const auto& [user, of_user] : of_users)
        divide_share(shares.at(user), of_user);
    std::vector<SoftGrant> grants;
    grants.reserve(heaps.size());
    for (const SoftHeap& heap : heaps)
        grants.push_back({heap.id, granted_.at(heap.id)});
    return grants;
}

}  // namespace tmm::core
