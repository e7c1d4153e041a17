// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// far-list MIB ROUNDS [hints]: goes through a list whose elements, one a page, lie in random order. With hints it says to far
// memory which page follows which. Prints the sum of all elements, once a round.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "farmem/include/tmm_far.h"

namespace {

struct Element {
    Element* next;
    std::uint64_t number;
    char rest[4096 - 16];
};

}  // namespace

int main(int argc, char** argv) {
    const std::size_t nr_elements = argc > 2 ? std::strtoul(argv[1], nullptr, 10) * 256 : 0;
    const unsigned long nr_rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
    const bool hints = argc > 3 && std::strcmp(argv[3], "hints") == 0;
    if (nr_elements == 0 || nr_rounds == 0) {
        std::fputs("Usage: far-list MIB ROUNDS [hints]\n", stderr);
        return 2;
    }
    auto* const elements = static_cast<Element*>(std::aligned_alloc(4096, nr_elements * sizeof(Element)));
    if (!elements)
        return 1;
    std::vector<std::uint32_t> order(nr_elements);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
    for (std::size_t i = 0; i < nr_elements; ++i) {
        Element& element = elements[order[i]];
        std::memset(&element, static_cast<int>(i % 251) + 1, sizeof element);  // pages of zeros are not kept far
        element.next = i + 1 < nr_elements ? &elements[order[i + 1]] : nullptr;
        element.number = i;
        if (hints && element.next) {
            const tmm_far_edge edge{&element, element.next};
            tmm_far_follow(&edge, 1);
        }
    }
    for (unsigned long round = 0; round < nr_rounds; ++round) {
        std::uint64_t sum = 0;
        for (const Element* element = &elements[order[0]]; element; element = element->next)
            sum += element->number;
        std::printf("%llu\n", static_cast<unsigned long long>(sum));
    }
    std::free(elements);
    return 0;
}
