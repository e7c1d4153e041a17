// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the parser of the multi-gen LRU's file in debugfs. A list that it takes is bounded, and comes back the same if it is
// written anew.
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "tmmd/core/generations/lru_gen_text.hpp"

namespace {

using namespace tmm;

// As the kernel writes it, with one line of a memcg for each of its nodes.
std::string text_of(const std::vector<core::Generations>& lists) {
    std::string text;
    for (const core::Generations& list : lists) {
        text += "memcg " + std::to_string(list.memcg) + ' ' + list.cgroup + "\n node " + std::to_string(list.node) + '\n';
        std::uint64_t number = list.oldest;
        for (const core::PagesByBacking& pages : list.pages) {
            text += std::to_string(number++) + " 0";
            for (const core::Pages& of_backing : pages)
                text += ' ' + std::to_string(of_backing.count());
            text += '\n';
        }
    }
    return text;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto lists = core::parse_lru_gen(fuzz::text_of(data, size));
    if (!lists) {
        TMM_REQUIRE(lists.error().message().starts_with("lru_gen:"));
        return 0;
    }
    for (const core::Generations& list : *lists) {
        TMM_REQUIRE(!list.pages.empty() && list.pages.size() <= core::max_generations);
        TMM_REQUIRE(list.youngest() >= list.oldest);
        TMM_REQUIRE(list.cgroup.find('\n') == std::string::npos);
    }
    const auto again = core::parse_lru_gen(text_of(*lists));
    TMM_REQUIRE(again && again->size() == lists->size());
    for (std::size_t i = 0; i < lists->size(); ++i) {
        const core::Generations& one = (*lists)[i];
        const core::Generations& other = (*again)[i];
        TMM_REQUIRE(one.memcg == other.memcg && one.node == other.node && one.cgroup == other.cgroup);
        TMM_REQUIRE(one.oldest == other.oldest && one.pages == other.pages);
    }
    return 0;
}
