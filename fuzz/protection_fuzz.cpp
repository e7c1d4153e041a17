// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the division of protection among cgroups with random trees of cgroups, needs and contributions, tiny and huge.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"
#include "tmmd/core/protection/protection.hpp"

namespace {

using namespace tmm;
using core::Pages;
using fuzz::Input;

constexpr std::uint64_t max_bits = 44;  // of pages: 64 PiB
constexpr std::size_t max_cgroups = 48;

// Sums of rounded parts, computed with 53 bits.
double rounding(std::size_t nr_parts, double sum) {
    return static_cast<double>(nr_parts) + 1e-9 * sum;
}

class Tree {
public:
    explicit Tree(Input& input) : bits_(input.below(max_bits + 1)) {
        for (std::uint64_t n = input.below(8); n > 0; --n)
            top.push_back(cgroup(input, "/" + std::to_string(n), 0, false));
    }

    std::vector<core::CgroupUsage> top;
    core::CgroupNeeds needs;

private:
    // is_below_contribution: the needs are those of opaque memory.
    core::CgroupUsage cgroup(Input& input, const std::string& path, int depth, bool is_below_contribution) {
        ++nr_cgroups_;
        core::CgroupUsage made;
        made.path = path;
        made.transparent = is_below_contribution || input.one_in(6);
        for (std::uint64_t n = depth < 3 && input.one_in(3) ? input.below(5) : 0; n > 0 && nr_cgroups_ < max_cgroups; --n) {
            made.children.push_back(cgroup(input, path + "/" + std::to_string(n), depth + 1, made.transparent));
            made.usage += made.children.back().usage;
        }
        if (made.children.empty()) {
            made.file = Pages(input.number(bits_));
            made.anonymous = Pages(input.number(bits_));
            made.usage = made.file + made.anonymous;
        }
        made.usage += Pages(input.one_in(2) ? 0 : input.number(bits_));
        if (!made.transparent)
            find_needs(input, made);
        return made;
    }

    // The need of a cgroup has those of all below. A cgroup that is too new has none.
    void find_needs(Input& input, const core::CgroupUsage& cgroup) {
        core::CgroupNeed need{Pages(input.one_in(2) ? 0 : input.number(bits_)), Pages(input.one_in(2) ? 0 : input.number(bits_))};
        bool is_known = input.one_in(2);
        const auto add = [&](const core::CgroupNeed& below) {
            need.pages += below.pages;
            need.usage += below.usage;
            is_known = true;
        };
        for (const core::CgroupUsage& child : cgroup.children) {
            if (const auto below = needs.find(child.path); below != needs.end())
                add(below->second);
        }
        for (std::uint64_t n = cgroup.children.empty() && input.one_in(4) ? input.below(4) : 0; n > 0; --n) {
            const core::CgroupNeed below{Pages(input.number(bits_)), Pages(input.number(bits_))};
            needs[cgroup.path + "/below-" + std::to_string(n)] = below;
            add(below);
        }
        if (is_known)
            needs[cgroup.path] = need;
    }

    std::uint64_t bits_;
    std::size_t nr_cgroups_ = 0;
};

void for_each(const std::vector<core::CgroupUsage>& cgroups, const auto& function) {
    for (const core::CgroupUsage& cgroup : cgroups) {
        if (cgroup.transparent)
            continue;
        function(cgroup);
        for_each(cgroup.children, function);
    }
}

void for_each_leaf(const std::vector<core::CgroupUsage>& cgroups, const auto& function) {
    for_each(cgroups, [&](const core::CgroupUsage& cgroup) {
        if (cgroup.children.empty())
            function(cgroup);
    });
}

void shuffle(std::vector<core::CgroupUsage>& cgroups, Input& input) {
    for (std::size_t i = 1; i < cgroups.size(); ++i)
        std::swap(cgroups[i], cgroups[input.below(i + 1)]);
    for (core::CgroupUsage& cgroup : cgroups)
        shuffle(cgroup.children, input);
}

using ByPath = std::map<std::string, Pages>;

ByPath by_path(const std::vector<core::CgroupProtection>& protections) {
    ByPath found;
    for (const core::CgroupProtection& one : protections)
        TMM_REQUIRE(found.emplace(one.path, one.pages).second);
    return found;
}

// The memory that can leave beside that protection.
double able_to_leave(const Tree& tree, const ByPath& protections, Pages swap) {
    double files = 0;
    double anonymous = 0;
    for_each_leaf(tree.top, [&](const core::CgroupUsage& leaf) {
        const double usage = leaf.usage.as_double();
        const double unprotected = usage > 0 ? 1 - std::min(protections.at(leaf.path).as_double() / usage, 1.0) : 1;
        files += unprotected * leaf.file.as_double();
        anonymous += unprotected * leaf.anonymous.as_double();
    });
    return files + std::min(anonymous, swap.as_double());
}

void check_protections(const Tree& tree, Pages reclaimable, core::Cover cover, Input& input) {
    const std::vector<core::CgroupProtection> found = core::protections(tree.top, reclaimable, cover, tree.needs);
    const ByPath protections = by_path(found);
    std::size_t nr_cgroups = 0;
    std::size_t nr_leaves = 0;
    Pages opaque(0);
    Pages in_force(0);  // a cgroup cannot have more than its usage
    for_each(tree.top, [&](const core::CgroupUsage& cgroup) {
        ++nr_cgroups;
        const Pages own = protections.at(cgroup.path);
        if (!cgroup.children.empty()) {
            Pages claimed(0);
            for (const core::CgroupUsage& child : cgroup.children)
                claimed += child.transparent ? Pages(0) : protections.at(child.path);
            TMM_REQUIRE(own == claimed);
            return;
        }
        ++nr_leaves;
        opaque += cgroup.usage;
        in_force += std::min(own, cgroup.usage);
        const auto need = tree.needs.find(cgroup.path);
        if (cover == core::Cover::all || need == tree.needs.end())
            TMM_REQUIRE(own <= cgroup.usage);
        else
            TMM_REQUIRE(own <= need->second.pages);
        if (cover == core::Cover::needs && need == tree.needs.end())
            TMM_REQUIRE(own == Pages(0));
    });
    TMM_REQUIRE(protections.size() == nr_cgroups);
    const Pages wanted = saturating_sub(opaque, reclaimable);
    TMM_REQUIRE(in_force.as_double() <= wanted.as_double() + rounding(nr_leaves, opaque.as_double()));
    if (cover == core::Cover::all)
        TMM_REQUIRE(in_force.as_double() >= wanted.as_double() - rounding(2 * nr_leaves, opaque.as_double()));

    Tree other = tree;
    shuffle(other.top, input);
    TMM_REQUIRE(by_path(core::protections(other.top, reclaimable, cover, tree.needs)) == protections);

    ByPath claims;
    for (const core::CgroupProtection& below : core::protections_below(found, tree.needs)) {
        // The deepest of those that it is below.
        const auto parent = std::find_if(found.rbegin(), found.rend(), [&](const core::CgroupProtection& one) {
            return below.path.starts_with(one.path + "/");
        });
        TMM_REQUIRE(parent != found.rend() && tree.needs.contains(parent->path) && !protections.contains(below.path));
        // In proportion to the need, all that the parent has.
        const double factor = std::max(1.0, ratio(parent->pages, tree.needs.at(parent->path).pages));
        TMM_REQUIRE(std::abs(below.pages.as_double() - factor * tree.needs.at(below.path).pages.as_double()) <=
                    rounding(1, below.pages.as_double()));
        claims[parent->path] += below.pages;
    }
    for (const auto& [path, claimed] : claims) {
        const Pages most = std::max(protections.at(path), tree.needs.at(path).pages);
        TMM_REQUIRE(claimed.as_double() <= most.as_double() + rounding(4, most.as_double()));
    }
}

void check_that_memory_leaves(const Tree& tree, Pages reclaimable, core::Cover cover, Input& input) {
    const core::MustLeave wanted{Pages(input.number(max_bits)), Pages(input.one_in(2) ? 0 : input.number(max_bits))};
    Pages opaque(0);
    Pages anonymous(0);
    for_each_leaf(tree.top, [&](const core::CgroupUsage& leaf) {
        opaque += leaf.usage;
        anonymous += leaf.anonymous;
    });
    const auto enough = core::reclaimable_that_leaves(tree.top, reclaimable, wanted, cover, tree.needs);
    TMM_REQUIRE(enough.has_value() == (anonymous > wanted.swap));
    if (!enough)
        return;
    TMM_REQUIRE(*enough >= reclaimable && *enough <= std::max(opaque, reclaimable));
    const auto leaves = [&](Pages unprotected) {
        return able_to_leave(tree, by_path(core::protections(tree.top, unprotected, cover, tree.needs)), wanted.swap);
    };
    const double target = std::min(wanted.pages.as_double(), leaves(opaque));
    TMM_REQUIRE(leaves(*enough) >= target - rounding(tree.needs.size() + max_cgroups, target));
}

void check_reclaimable(const Tree& tree, Input& input) {
    std::vector<core::ContributedPages> contributed;
    Pages transparent(0);
    core::SwapLeft swap{.free = Pages(input.one_in(3) ? 0 : input.number(max_bits)), .of_cgroups = {}, .anonymous_below = {}};
    std::vector<Pages> usages;
    Pages files(0);
    Pages swappable(0);  // as far as the limits of their cgroups let them
    for (std::uint64_t n = input.below(6); n > 0; --n) {
        const std::string path = "/contributed-" + std::to_string(n) + (input.one_in(2) ? "/deep" : "");
        contributed.push_back(
            {path, Pages(input.number(max_bits)), Pages(input.number(max_bits)), Pages(input.number(max_bits))});
        usages.push_back(contributed.back().all());
        transparent += usages.back();
        // One cgroup within has some of the anonymous pages.
        Pages below(0);
        if (input.one_in(3)) {
            swap.anonymous_below[path + "/below"] = Pages(input.number(max_bits));
            below = std::min(swap.anonymous_below[path + "/below"], contributed.back().anonymous);
        }
        Pages can_go = contributed.back().anonymous;
        if (input.one_in(2)) {
            const Pages limit(input.number(max_bits));
            const bool is_within = input.one_in(2);
            swap.of_cgroups[is_within ? path + "/below" : path] = limit;
            can_go = is_within ? can_go - below + std::min(below, limit) : std::min(can_go, limit);
        }
        files += contributed.back().file;
        swappable += can_go;
    }
    swappable = std::min(swappable, swap.free);
    Pages opaque(0);
    for_each_leaf(tree.top, [&](const core::CgroupUsage& leaf) { opaque += leaf.usage; });
    const core::MemoryUsage usage{.total = Pages(input.number(max_bits + 8)), .opaque = opaque, .transparent = transparent};
    const Pages limit(input.number(max_bits));

    const core::MustLeave must = core::must_leave(usage, contributed, swap);
    const Pages tenth = part_of(usage.total, core::min_reclaimable);
    TMM_REQUIRE(must.swap == swap.free - swappable);
    TMM_REQUIRE(must.pages == saturating_sub(tenth, free_pages(usage) + files + swappable));
    const Pages reclaimable = core::reclaimable_opaque(usage, limit, contributed, swap);
    TMM_REQUIRE(reclaimable == std::min(std::max(saturating_sub(opaque, limit), must.pages), opaque));
    TMM_REQUIRE(reclaimable == opaque || free_pages(usage) + files + swappable + reclaimable >= tenth);

    const Pages kept(input.number(max_bits));
    const std::vector<Pages> limits = core::contribution_limits(usage, limit, kept, usages);
    TMM_REQUIRE(limits.size() == usages.size());
    for (std::size_t i = 0; i < limits.size(); ++i)
        TMM_REQUIRE(limits[i] >= usages[i] && limits[i] - usages[i] == limits[0] - usages[0]);

    const Pages before(input.number(max_bits));
    TMM_REQUIRE(!core::worth_a_write(before, before, Bytes(4096)));
    TMM_REQUIRE(core::worth_a_write(before, before * 2 + Pages(256), Bytes(4096)));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const Tree tree(input);
    const Pages reclaimable(input.one_in(3) ? 0 : input.number(max_bits));
    for (const core::Cover cover : {core::Cover::all, core::Cover::needs}) {
        check_protections(tree, reclaimable, cover, input);
        check_that_memory_leaves(tree, reclaimable, cover, input);
    }
    check_reclaimable(tree, input);
    return 0;
}
