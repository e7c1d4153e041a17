// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeLruGen: simulates the multi-gen LRU of Linux 6.12 for tests, page by page: memcgs of the owner's, and one of a
// contribution. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/os/sources/counts/lru_gen_file.hpp"

namespace tmm::os {

// State that the fakes share with the test: the source owns the fakes.
struct FakeGenerations {
    static constexpr std::uint64_t owner = 5;
    static constexpr std::uint64_t guest = 6;
    static constexpr std::uint64_t system = 7;

    struct Page {
        std::uint64_t generation;
        bool used = true;
        bool file = false;
        std::uint64_t memcg = owner;
    };
    struct Memcg {
        std::string cgroup;
        std::uint64_t youngest = 1;
    };
    std::map<std::uint64_t, Memcg> memcgs{{owner, {"/user.slice"}}, {system, {"/system.slice"}}};
    std::vector<Page> pages;
    int calls = 0;
    int error = 0;  // of the next calls
    bool guest_was_aged = false;

    void add(std::size_t number, bool file = false, std::uint64_t memcg = owner) {
        pages.resize(pages.size() + number, {memcgs.at(memcg).youngest, true, file, memcg});
    }
    void use(std::size_t page) { pages[page].used = true; }
    // The cgroup vanishes with its pages.
    void remove(std::uint64_t memcg) {
        memcgs.erase(memcg);
        std::erase_if(pages, [&](const Page& page) { return page.memcg == memcg; });
    }
    void age(std::uint64_t memcg) {
        std::uint64_t& youngest = memcgs.at(memcg).youngest;
        for (Page& page : pages) {
            if (page.memcg == memcg && page.used)
                page.generation = youngest;
            page.used = page.used && page.memcg != memcg;
        }
        ++youngest;
        for (Page& page : pages) {
            if (page.memcg == memcg)
                page.generation = std::max(page.generation + core::max_generations, youngest + 1) - core::max_generations;
        }
    }
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const auto& [number, memcg] : memcgs) {
            text += "memcg     " + std::to_string(number) + " " + memcg.cgroup + "\n node     0\n";
            const std::uint64_t youngest = memcg.youngest;
            const std::uint64_t oldest = std::max<std::uint64_t>(youngest, core::max_generations) - core::max_generations + 1;
            for (std::uint64_t generation = std::min(oldest, youngest); generation <= youngest; ++generation) {
                const auto count = [&](bool file) {
                    return std::to_string(std::count_if(pages.begin(), pages.end(), [&](const Page& page) {
                        return page.memcg == number && page.generation == generation && page.file == file;
                    }));
                };
                text += " " + std::to_string(generation) + " 1000 " + count(false) + " " + count(true) + " \n";
            }
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
        const auto found = state_.memcgs.find(memcg);
        if (found != state_.memcgs.end() && youngest == found->second.youngest)
            state_.age(memcg);
        return {};
    }
    [[nodiscard]] bool has_failed() const override { return state_.error != 0; }

private:
    FakeGenerations& state_;
};

}  // namespace tmm::os
