// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes far memory's decisions by operations: a kernel, hands and a store of simple maps carry them out in random order and
// delay, while processes write, drop, move and fork. Each page that a process touches must have the content that it wrote last.
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "farmem/core/program.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"

namespace {

using namespace tmm::far;
using tmm::fuzz::Input;

constexpr std::uint64_t nr_pages = 4096;  // of a process
constexpr std::uint32_t nr_slots = 160;
constexpr std::size_t max_spaces = 4;

// The content of a page is a number; 0 reads as zeros.
using Number = std::uint64_t;

struct Process {
    std::map<PageNumber, Number> mapped;    // what the kernel has
    std::map<PageNumber, Number> expected;  // what the process wrote
    bool has_hand = true;
    // Carried out: moved into the slot, or not; the answer is on its way.
    struct Ordered {
        Order order;
        bool is_cancelled = false;
        std::optional<Outcome> outcome;
        Number content = 0;
    };
    std::vector<Ordered> ordered;
    std::vector<std::size_t> batches;  // how many of these each has
    std::vector<PageNumber> seen;      // by the hand, to be told
    std::uint32_t nr_moves = 0;        // when it looked
};

class World {
public:
    explicit World(Input& input) : input_(input) {
        const SpaceId first = program_.add_space();
        program_.set_hand(first, true);
        processes_[first];
    }

    // Returns whether there is a process left.
    bool step() {
        if (processes_.empty())
            return false;
        auto process = processes_.begin();
        std::advance(process, input_.below(processes_.size()));
        const SpaceId space = process->first;
        switch (input_.below(16)) {
            case 0:
                fork(space);
                break;
            case 1:
                drop(space, range());
                break;
            case 2:
                move(space);
                break;
            case 3:
                if (process->second.has_hand)
                    carry_out(space, input_.below(64));
                break;
            case 4:
                answer(space, input_.below(64));
                break;
            case 5:
            case 6:
                evict();
                break;
            case 7:
                write(input_.below(32));
                break;
            case 8:
                is_down_ = input_.one_in(4) ? !is_down_ : is_down_;
                written(input_.below(32), is_down_ || input_.one_in(4));
                break;
            case 9:
                prefetch(space);
                break;
            case 10:
                program_.set_limit(min_limit_pages + input_.below(4) * 256);
                break;
            case 11:
                if (input_.one_in(16))
                    end(space);
                else if (process->second.has_hand)
                    see(space);
                break;
            default:
                touch_many(space);
        }
        return true;
    }

    void finish() {
        program_.check();
        while (!processes_.empty()) {
            const SpaceId space = processes_.begin()->first;
            for (const auto& [page, content] : std::map(processes_.at(space).expected))
                touch(space, page, false);
            program_.check();
            end(space);
        }
        for (std::size_t n = writes_.size(); n > 0; --n)
            written(1, false);
        while (!fetching_.empty())
            fetched(fetching_.begin()->first, true);
        TMM_REQUIRE(program_.nr_local() == 0 && program_.nr_far() == 0);
        program_.check();
    }

private:
    PageRange range() {
        const PageNumber first = input_.below(256) * (nr_pages / 256);
        return {first, first + 1 + input_.below(input_.one_in(2) ? 256 : 16)};
    }

    void touch_many(SpaceId space) {
        const PageRange pages = range();
        const bool is_write = input_.one_in(2);
        for (PageNumber page = pages.first; page < pages.last; ++page)
            touch(space, page, is_write);
    }

    // The process reads the page, or writes to it.
    void touch(SpaceId space, PageNumber page, bool is_write) {
        Process& process = processes_.at(space);
        for (int tries = 0; !process.mapped.contains(page); ++tries) {
            TMM_REQUIRE(tries < 100);
            const Answer answer = program_.fault(space, page);
            if (answer.how == Answer::How::wait) {
                make_progress(tries > 0);
                continue;
            }
            if (answer.how == Answer::How::coming) {
                fetched(answer.slot, input_.one_in(2));
                continue;
            }
            if (answer.how == Answer::How::lost) {
                TMM_REQUIRE(may_be_lost_);
                process.expected.erase(page);
                program_.removed(space, {page, page + 1});
                return;
            }
            Number content = 0;
            if (answer.how == Answer::How::slot)
                content = slots_.at(answer.slot);
            if (answer.how == Answer::How::fetch) {
                TMM_REQUIRE(store_.contains(answer.entry));
                TMM_REQUIRE(store_.at(answer.entry).first == answer.version);
                content = store_.at(answer.entry).second;
                if (input_.below(16) == 1) {
                    program_.not_filled(space, page);
                    continue;
                }
            }
            process.mapped[page] = content;
            program_.filled(space, page);
        }
        const auto expected = process.expected.find(page);
        TMM_REQUIRE(process.mapped.at(page) == (expected == process.expected.end() ? 0 : expected->second));
        if (is_write) {
            // Input is for operations: one of them writes to many pages.
            const Number content = ++last_content_;
            process.mapped[page] = process.expected[page] = content % 8 == 0 ? 0 : content;
        }
    }

    // One step of what a full program waits for: pages that leave make room with their writes still to come.
    void make_progress(bool writes) {
        for (auto& [space, process] : processes_) {
            carry_out(space, 256);
            answer(space, 256);
        }
        now_ += std::chrono::seconds(1);
        if (writes && writes_.empty())
            write(256);
        else if (writes)
            written(256, is_down_);
    }

    void evict() {
        now_ += std::chrono::milliseconds(input_.below(8));
        const Orders orders = program_.evict(now_);
        for (const Order& order : orders.orders)
            processes_.at(orders.space).ordered.push_back({order, false, {}, 0});
        if (!orders.orders.empty()) {
            processes_.at(orders.space).batches.push_back(orders.orders.size());
            TMM_REQUIRE(processes_.at(orders.space).batches.size() <= max_batches);
        }
    }

    // The hand takes pages, unless the pager heard of a change first.
    void carry_out(SpaceId space, std::uint64_t most) {
        Process& process = processes_.at(space);
        const std::uint64_t refused = input_.below(256);
        std::uint64_t number = 0;
        for (Process::Ordered& ordered : process.ordered) {
            if (ordered.outcome || most-- == 0)
                continue;
            const auto page = process.mapped.find(ordered.order.page);
            if (ordered.is_cancelled || ++number == refused) {
                ordered.outcome = Outcome::refused;
            } else if (page == process.mapped.end()) {
                ordered.outcome = Outcome::absent;
            } else {
                ordered.outcome = Outcome::moved;
                ordered.content = page->second;
                process.mapped.erase(page);
            }
        }
    }

    void answer(SpaceId space, std::uint64_t most) {
        std::vector<Process::Ordered>& ordered = processes_.at(space).ordered;
        std::vector<std::size_t>& batches = processes_.at(space).batches;
        hear(space);
        while (!ordered.empty() && ordered.front().outcome && most-- > 0) {
            const Process::Ordered done = ordered.front();
            ordered.erase(ordered.begin());
            slots_[done.order.slot] = done.content;
            program_.evicted(done.order.slot, *done.outcome, {done.content == 0, {done.content, ~done.content}});
            if (--batches.front() == 0) {
                batches.erase(batches.begin());
                program_.batch_done(space, input_.below(4) != 1, now_);
            }
        }
    }

    void cancel(SpaceId space, PageRange range) {
        for (Process::Ordered& ordered : processes_.at(space).ordered) {
            if (ordered.order.page >= range.first && ordered.order.page < range.last)
                ordered.is_cancelled = true;
        }
    }

    void drop(SpaceId space, PageRange range) {
        Process& process = processes_.at(space);
        program_.removed(space, range);
        cancel(space, range);
        for (auto* const pages : {&process.mapped, &process.expected})
            pages->erase(pages->lower_bound(range.first), pages->lower_bound(range.last));
    }

    void move(SpaceId space) {
        const PageRange from = range();
        const PageNumber to = nr_pages * 2;
        drop(space, {to, to + 256});
        program_.moved(space, from, to);
        cancel(space, from);
        Process& process = processes_.at(space);
        for (auto* const pages : {&process.mapped, &process.expected}) {
            for (PageNumber page = from.first; page < from.last; ++page) {
                if (auto found = pages->extract(page)) {
                    found.key() = page - from.first + to;
                    pages->insert(std::move(found));
                }
            }
        }
    }

    void fork(SpaceId parent) {
        if (processes_.size() >= max_spaces)
            return;
        const SpaceId child = program_.fork(parent);
        Process copy = processes_.at(parent);
        copy.ordered.clear();
        copy.batches.clear();
        copy.seen.clear();
        copy.has_hand = input_.one_in(2);
        processes_[child] = std::move(copy);
        program_.set_hand(child, processes_.at(child).has_hand);
    }

    // The hand tells what is there. The pager may hear of changes before it reads that.
    void see(SpaceId space) {
        Process& process = processes_.at(space);
        if (process.seen.empty()) {
            process.nr_moves = program_.nr_moves(space);
            for (const auto& [page, content] : process.mapped)
                process.seen.push_back(page);
        } else {
            hear(space);
        }
    }
    void hear(SpaceId space) {
        for (const PageNumber page : std::exchange(processes_.at(space).seen, {}))
            (void)program_.present(space, {page, page + 1}, processes_.at(space).nr_moves);
    }

    void end(SpaceId space) {
        may_be_lost_ = may_be_lost_ || !processes_.at(space).ordered.empty();
        program_.remove_space(space);
        processes_.erase(space);
    }

    void write(std::size_t most) {
        for (const EntryId entry : program_.take_drops())
            writes_.push_back({{entry, no_slot, 0}, 0});
        for (const Write& write : program_.write(now_, most))
            writes_.push_back({write, slots_.at(write.slot)});
    }

    void written(std::size_t most, bool fails) {
        while (!writes_.empty() && most-- > 0) {
            const auto [write, content] = writes_.front();
            writes_.pop_front();
            if (write.slot == no_slot) {
                store_.erase(write.entry);
                continue;
            }
            if (!fails)
                store_[write.entry] = {write.version, content};
            program_.written(now_, write.slot, !fails);
        }
        if (fails)
            program_.check();
    }

    void prefetch(SpaceId space) {
        Wishes wishes;
        const PageRange pages = range();
        for (PageNumber page = pages.first; page < pages.last; ++page)
            wishes.add({page, {}, {}});
        std::optional<Wish> refused;
        for (const Prefetch& one : program_.prefetch(space, wishes, 32, refused)) {
            TMM_REQUIRE(store_.at(one.entry).first == one.version);
            fetching_[one.slot] = store_.at(one.entry).second;
        }
        for (std::uint64_t n = input_.below(32); n > 0 && !fetching_.empty(); --n)
            fetched(fetching_.begin()->first, !input_.one_in(8));
    }
    void fetched(SlotId slot, bool is_filled) {
        TMM_REQUIRE(fetching_.contains(slot));
        slots_[slot] = fetching_.at(slot);
        fetching_.erase(slot);
        program_.prefetched(slot, is_filled);
    }

    Input& input_;
    Program program_{nr_slots, min_limit_pages};
    std::map<SpaceId, Process> processes_;
    std::map<SlotId, Number> slots_;
    std::map<SlotId, Number> fetching_;
    std::map<EntryId, std::pair<Version, Number>> store_;
    std::deque<std::pair<Write, Number>> writes_;
    bool is_down_ = false;  // the store fails all writes
    Number last_content_ = 0;
    TimePoint now_{};
    bool may_be_lost_ = false;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    World world(input);
    while (!input.empty() && world.step()) {
    }
    world.finish();
    return 0;
}
