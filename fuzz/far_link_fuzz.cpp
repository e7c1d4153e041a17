// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the scheduler of a link with random operations, beside a list of the requests that wait. Each request is sent once or
// dropped once; a program's demand goes before its prefetches; programs that wait all the time get bytes by their weights, so
// none starves.
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "farmem/core/link/link_scheduler.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace tmm::far;

constexpr std::uint32_t max_programs = 6;
constexpr std::uint32_t max_request_bytes = 64 * 1024;
constexpr std::chrono::microseconds transit{10};

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    [[nodiscard]] bool empty() const { return at_ >= size_; }
    std::uint32_t next() { return empty() ? 0 : data_[at_++]; }

private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
};

class Model {
public:
    explicit Model(Input& input)
        : input_(input),
          rules_{.fair = input.next() % 8 != 0, .demand_first = input.next() % 8 != 0, .drop_late = input.next() % 4 != 0},
          scheduler_(rules_) {}

    void operation() {
        switch (input_.next() % 8) {
            case 0:
                add_program();
                break;
            case 1:
                if (input_.next() % 16 == 0)
                    remove_program();
                break;
            case 2:
                reissue();
                break;
            case 3:
                now_ += std::chrono::microseconds(input_.next());
                break;
            case 4:
            case 5:
                submit();
                break;
            default:
                next();
        }
    }

    void drain() {
        while (!waiting_.empty())
            next();
        TMM_REQUIRE(!scheduler_.next(now_, transit, dropped_));
        TMM_REQUIRE(scheduler_.nr_waiting() == 0);
    }

private:
    struct Waiting {
        LinkRequest request;
        RequestId id;
    };
    // Of two programs since both wait without a break.
    struct Share {
        double sent = 0;  // bytes over weight
    };

    void add_program() {
        if (weights_.size() >= max_programs)
            return;
        const std::uint32_t weight = 1 + input_.next() % LinkScheduler::max_weight;
        const std::uint32_t program = scheduler_.add_program(weight);
        TMM_REQUIRE(!weights_.contains(program));
        weights_[program] = weight;
        begin_shares(program);
    }
    void remove_program() {
        if (weights_.empty())
            return;
        const std::uint32_t program = some_program();
        scheduler_.remove_program(program);
        weights_.erase(program);
        std::erase_if(waiting_, [program](const auto& entry) { return entry.second.request.program == program; });
        begin_shares(program);
    }
    void submit() {
        if (weights_.empty())
            return;
        const std::uint32_t program = some_program();
        LinkRequest request{program, input_.next() % 2 == 0 ? Urgency::demand : Urgency::prefetch,
                            1 + (input_.next() << 8 | input_.next()) % max_request_bytes,
                            now_ + std::chrono::microseconds(input_.next()), ++nr_requests_};
        if (!waits(program))
            begin_shares(program);
        waiting_[request.tag] = {request, scheduler_.submit(request)};
    }
    void reissue() {
        if (nr_requests_ == 0)
            return;
        const auto found = waiting_.find(1 + (input_.next() << 8 | input_.next()) % nr_requests_);
        if (found == waiting_.end())
            return;
        Waiting& waiting = found->second;
        const bool was_prefetch = waiting.request.urgency == Urgency::prefetch;
        TMM_REQUIRE(scheduler_.reissue(waiting.id) == (was_prefetch && !was_reissued_[found->first]));
        TMM_REQUIRE(!scheduler_.reissue(waiting.id));
        waiting.request.urgency = Urgency::demand;
        was_reissued_[found->first] = true;
    }
    void next() {
        dropped_.clear();
        const auto sent = scheduler_.next(now_, transit, dropped_);
        for (const LinkRequest& late : dropped_) {
            const auto found = waiting_.find(late.tag);
            TMM_REQUIRE(found != waiting_.end());
            TMM_REQUIRE(rules_.drop_late && found->second.request.urgency == Urgency::prefetch && late.deadline < now_ + transit);
            waiting_.erase(found);
            if (!waits(late.program))
                begin_shares(late.program);
        }
        TMM_REQUIRE(sent.has_value() == !waiting_.empty());
        if (!sent)
            return;
        const auto found = waiting_.find(sent->tag);
        TMM_REQUIRE(found != waiting_.end() && found->second.request.program == sent->program);
        TMM_REQUIRE(found->second.request.urgency == sent->urgency);
        if (rules_.demand_first && rules_.fair && sent->urgency == Urgency::prefetch) {
            for (const auto& [tag, waiting] : waiting_)
                TMM_REQUIRE(waiting.request.program != sent->program || waiting.request.urgency == Urgency::prefetch);
        }
        if (rules_.fair)
            check_shares(*sent);
        waiting_.erase(found);
        if (!waits(sent->program))
            begin_shares(sent->program);
    }

    [[nodiscard]] std::uint32_t some_program() {
        return std::next(weights_.begin(), static_cast<std::ptrdiff_t>(input_.next() % weights_.size()))->first;
    }
    [[nodiscard]] bool waits(std::uint32_t program) const {
        for (const auto& [tag, waiting] : waiting_) {
            if (waiting.request.program == program)
                return true;
        }
        return false;
    }
    // The program has begun or ended to wait: its bytes compare with nobody's so far.
    void begin_shares(std::uint32_t program) {
        for (auto& [pair, shares] : shares_) {
            if (pair.first == program || pair.second == program)
                shares = {};
        }
    }
    // Start-time fair queueing: two programs that both wait differ by one request each at most.
    void check_shares(const LinkRequest& sent) {
        for (const auto& [program, weight] : weights_) {
            for (const auto& [other, other_weight] : weights_) {
                if (program >= other || !waits(program) || !waits(other))
                    continue;
                auto& [one, two] = shares_[{program, other}];
                if (sent.program == program)
                    one.sent += sent.bytes / static_cast<double>(weight);
                if (sent.program == other)
                    two.sent += sent.bytes / static_cast<double>(other_weight);
                const double bound = max_request_bytes * 1.02 * (1.0 / weight + 1.0 / other_weight);
                TMM_REQUIRE(std::abs(one.sent - two.sent) <= bound);
            }
        }
    }

    Input& input_;
    LinkRules rules_;
    LinkScheduler scheduler_;
    TimePoint now_{std::chrono::seconds(1)};
    std::map<std::uint32_t, std::uint32_t> weights_;
    std::map<std::uint64_t, Waiting> waiting_;
    std::map<std::uint64_t, bool> was_reissued_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Share, Share>> shares_;
    std::uint64_t nr_requests_ = 0;
    std::vector<LinkRequest> dropped_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    Model model(input);
    while (!input.empty())
        model.operation();
    model.drain();
    return 0;
}
