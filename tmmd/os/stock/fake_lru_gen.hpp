// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeLruGen: simulates the multi-gen LRU of Linux 6.12 for tests, page by page: one memcg of the owner's, one of a contribution.
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/os/stock/lru_gen_file.hpp"

namespace tmm::os {

// State that the fakes share with the test: the source owns the fakes.
struct FakeGenerations {
    static constexpr std::uint64_t owner = 5;
    static constexpr std::uint64_t guest = 6;

    struct Page {
        std::uint64_t generation;
        bool used = true;
        bool file = false;
    };
    std::vector<Page> pages;  // the owner's
    std::uint64_t youngest = 1;
    int calls = 0;
    int error = 0;  // of the next calls
    bool guest_was_aged = false;

    void add(std::size_t number, bool file = false) { pages.resize(pages.size() + number, {youngest, true, file}); }
    void use(std::size_t page) { pages[page].used = true; }
    void age() {
        for (Page& page : pages) {
            if (page.used)
                page.generation = youngest;
            page.used = false;
        }
        ++youngest;
        for (Page& page : pages)
            page.generation = std::max(page.generation + core::max_generations, youngest + 1) - core::max_generations;
    }
    [[nodiscard]] std::string text() const {
        std::string text = "memcg     5 /user.slice\n node     0\n";
        const std::uint64_t oldest = std::max<std::uint64_t>(youngest, core::max_generations) - core::max_generations + 1;
        for (std::uint64_t generation = std::min(oldest, youngest); generation <= youngest; ++generation) {
            const auto count = [&](bool file) {
                return std::to_string(std::count_if(pages.begin(), pages.end(), [&](const Page& page) {
                    return page.generation == generation && page.file == file;
                }));
            };
            text += " " + std::to_string(generation) + " 1000 " + count(false) + " " + count(true) + " \n";
        }
        return text + "memcg     6 /transparent.slice/task\n node     0\n 1 1000 99 0 \n";
    }
};

class FakeLruGen : public LruGen {
public:
    explicit FakeLruGen(FakeGenerations& state) : state_(state) {}
    Result<std::string> read() override {
        if (state_.error != 0)
            return Error::from_errno(state_.error, "lru_gen");
        return state_.text();
    }
    Result<void> age(std::uint64_t memcg, std::uint64_t, std::uint64_t youngest) override {
        ++state_.calls;
        if (memcg == FakeGenerations::guest)
            state_.guest_was_aged = true;
        if (memcg == FakeGenerations::owner && youngest == state_.youngest)
            state_.age();
        return {};
    }

private:
    FakeGenerations& state_;
};

}  // namespace tmm::os
