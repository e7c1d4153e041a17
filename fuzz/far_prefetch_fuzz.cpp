// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes what is fetched ahead for a program by operations: faults of several threads in and out of streams, hints, and reports
// of what became of the wishes, also late ones and of threads that are long gone.
#include <cstdint>
#include <vector>

#include "farmem/core/prefetch/prefetcher.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"

namespace {

using namespace tmm::far;
using tmm::fuzz::Input;

class World {
public:
    explicit World(Input& input)
        : input_(input), prefetcher_({!input.one_in(4), !input.one_in(4), !input.one_in(4), !input.one_in(4)}) {}

    void step() {
        switch (input_.below(8)) {
            case 0:
                prefetcher_.edges().add(near_page(), near_page());
                break;
            case 1:
                prefetcher_.edges().forget(near_page());
                break;
            case 2:
            case 3:
                report();
                break;
            case 4:
                page_ += stride();
                break;
            default:
                fault();
        }
    }

private:
    // A walk that jumps now and then, also to either end of all pages.
    PageNumber page() {
        switch (input_.below(8)) {
            case 0:
                return input_.below(256);
            case 1:
                return ~PageNumber{0} - input_.below(256);
            default:
                return page_ += stride();
        }
    }
    // The next faults meet it, so that edges lead from there, and back.
    PageNumber near_page() { return page_ + input_.below(4); }
    PageNumber stride() { return input_.one_in(8) ? input_.below(256) - 128 : PageNumber{1}; }

    void fault() {
        now_ += std::chrono::microseconds(input_.below(64));
        PageFault fault{static_cast<std::uint32_t>(input_.below(4) * 255), page(), now_, {}};
        if (!asked_.empty() && input_.one_in(2))
            fault.hit = asked_[input_.below(asked_.size())].origin;
        prefetcher_.fault(fault, wishes_);
        TMM_REQUIRE(wishes_.size() <= Wishes::max_wishes);
        for (const Wish& wish : wishes_) {
            TMM_REQUIRE(wish.page != fault.page);
            TMM_REQUIRE(wish.deadline >= now_);
            if (asked_.size() < 256)
                asked_.push_back(wish);
        }
        if (!wishes_.empty() && input_.one_in(8))
            prefetcher_.refused(*(wishes_.begin() + input_.below(wishes_.size())));
    }

    void report() {
        if (asked_.empty())
            return;
        const Wish wish = asked_[input_.below(asked_.size())];
        switch (input_.below(4)) {
            case 0:
                return prefetcher_.used(wish.origin);
            case 1:
                return prefetcher_.late(wish.origin);
            case 2:
                return prefetcher_.unused(wish.origin);
            default:
                asked_.clear();
        }
    }

    Input& input_;
    Prefetcher prefetcher_;
    Wishes wishes_;
    std::vector<Wish> asked_;
    PageNumber page_ = 1 << 20;
    TimePoint now_{std::chrono::seconds(1)};
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    World world(input);
    while (!input.empty())
        world.step();
    return 0;
}
