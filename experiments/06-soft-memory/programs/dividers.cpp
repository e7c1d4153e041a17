// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "dividers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <utility>

#include "softlib/budget.hpp"
#include "tmmd/core/soft/division.hpp"

namespace tmm::soft_memory {

namespace {

class Fixed : public Divider {
public:
    explicit Fixed(std::vector<Bytes> parts) : parts_(std::move(parts)) {}
    std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) override {
        std::vector<Bytes> parts(programs.size(), total / std::max<std::size_t>(programs.size(), 1));
        std::copy_n(parts_.begin(), std::min(parts_.size(), parts.size()), parts.begin());
        return parts;
    }

private:
    std::vector<Bytes> parts_;
};

class Coordinator : public Divider {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) override {
        std::vector<core::SoftHeap> reports;
        reports.reserve(programs.size());
        for (const Seen& program : programs)
            reports.push_back(program.report);
        std::vector<Bytes> parts;
        for (const core::SoftGrant& grant : division_.divide(total, std::move(reports)))
            parts.push_back(grant.bytes);
        return parts;
    }

private:
    core::SoftDivision division_;
};

// Parts that begin equal, and of which a hundredth of all memory moves at once.
class Moving : public Divider {
protected:
    // A new program gets an equal part. The others, and all when total changes, keep their proportions.
    void fit(Bytes total, std::size_t count) {
        if (parts_.size() == count && total_ == total)
            return;
        parts_.resize(count, total / std::max<std::size_t>(count, 1));
        const Bytes sum = std::accumulate(parts_.begin(), parts_.end(), Bytes(0));
        for (Bytes& part : parts_)
            part = Bytes(static_cast<std::uint64_t>(part.as_double() * ratio(total, sum)));
        total_ = total;
    }
    [[nodiscard]] Bytes move_bytes() const { return total_ / 100; }
    // From the program with the least worth that has so much, to the one with the most.
    void move_to_most(const std::vector<double>& worth) {
        const auto most = static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
        std::size_t least = parts_.size();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (parts_[i] > move_bytes() && i != most && (least == parts_.size() || worth[i] < worth[least]))
                least = i;
        }
        if (least == parts_.size())
            return;
        parts_[least] -= move_bytes();
        parts_[most] += move_bytes();
    }
    // A second of real time that a program would hit more often with more memory, or less often with less.
    static double hits_between(const core::SoftHeap& heap, Bytes from, Bytes to) {
        return (heap.misses_per_s(from) - heap.misses_per_s(to)) / (1 + heap.rebuilding(heap.budget));
    }

    std::vector<Bytes> parts_;

private:
    Bytes total_{0};
};

class HillClimbing : public Moving {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) override {
        fit(total, programs.size());
        gains_.resize(programs.size());
        if (programs.empty())
            return parts_;
        const double rebuild_s = programs[probed_].rebuild_s;
        if (seconds_ == 0) {
            before_ = rebuild_s;
        } else if (seconds_ == probe_s) {
            without_ = rebuild_s - before_;
            before_ = rebuild_s;
        } else if (seconds_ == 2 * probe_s) {
            gains_[probed_] = without_ - (rebuild_s - before_);
            seconds_ = 0;
            probed_ = (probed_ + 1) % programs.size();
            if (probed_ == 0)
                move_to_most(gains_);
            before_ = programs[probed_].rebuild_s;
        }
        ++seconds_;
        std::vector<Bytes> parts = parts_;
        if (seconds_ > probe_s)
            parts[probed_] += move_bytes();
        return parts;
    }

private:
    static constexpr int probe_s = 2;

    std::vector<double> gains_;
    std::size_t probed_ = 0;
    int seconds_ = 0;
    double before_ = 0;
    double without_ = 0;
};

class MarginalHits : public Moving {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) override {
        fit(total, programs.size());
        hits_.resize(programs.size());
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const double now = hits_between(programs[i].report, saturating_sub(parts_[i], move_bytes()), parts_[i]);
            hits_[i] = (1 - weight) * hits_[i] + weight * now;
        }
        if (!programs.empty())
            move_to_most(hits_);
        return parts_;
    }

private:
    static constexpr double weight = 0.3;  // of the newest

    std::vector<double> hits_;
};

class Cliffhanger : public Moving {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) override {
        fit(total, programs.size());
        if (programs.size() < 2)
            return parts_;
        std::vector<double> credits;
        for (std::size_t i = 0; i < programs.size(); ++i)
            credits.push_back(credit_bytes * hits_between(programs[i].report, parts_[i], parts_[i] + move_bytes()));
        const double sum = std::accumulate(credits.begin(), credits.end(), 0.0);
        std::vector<double> wanted;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const double others = (sum - credits[i]) / static_cast<double>(programs.size() - 1);
            wanted.push_back(std::max(parts_[i].as_double() + credits[i] - others, move_bytes().as_double()));
        }
        const double scale = total.as_double() / std::accumulate(wanted.begin(), wanted.end(), 0.0);
        for (std::size_t i = 0; i < programs.size(); ++i)
            parts_[i] = Bytes(static_cast<std::uint64_t>(wanted[i] * scale));
        return parts_;
    }

private:
    static constexpr double credit_bytes = 4096;  // of a hit
};

class EachForItself : public Divider {
public:
    std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) override {
        rules_.resize(programs.size());
        ::soft::memory_reading reading;
        Bytes used{0};
        for (const Seen& program : programs)
            used += program.report.used;
        reading.total_bytes = static_cast<std::size_t>(total.as_double() / (1 - ::soft::budget_rule_options{}.reserve));
        reading.free_bytes = reading.total_bytes - std::min<std::size_t>(used.count(), reading.total_bytes);
        now_ += std::chrono::seconds(1);
        std::vector<Bytes> parts;
        for (std::size_t i = 0; i < programs.size(); ++i)
            parts.emplace_back(rules_[i].step(reading, programs[i].report.used.count(), now_));
        return parts;
    }

private:
    std::vector<::soft::budget_rule> rules_;
    std::chrono::steady_clock::time_point now_{};
};

struct Named {
    std::string_view name;
    std::unique_ptr<Divider> (*make)();
};
constexpr std::array<Named, 6> named{{{"equal", equal_parts},
                                      {"each-for-itself", each_for_itself},
                                      {"hill-climbing", hill_climbing},
                                      {"cliffhanger", cliffhanger},
                                      {"marginal-hits", marginal_hits},
                                      {"coordinator", coordinator}}};

}  // namespace

std::unique_ptr<Divider> equal_parts() {
    return std::make_unique<Fixed>(std::vector<Bytes>());
}
std::unique_ptr<Divider> fixed_parts(std::vector<Bytes> parts) {
    return std::make_unique<Fixed>(std::move(parts));
}
std::unique_ptr<Divider> coordinator() {
    return std::make_unique<Coordinator>();
}
std::unique_ptr<Divider> hill_climbing() {
    return std::make_unique<HillClimbing>();
}
std::unique_ptr<Divider> marginal_hits() {
    return std::make_unique<MarginalHits>();
}
std::unique_ptr<Divider> cliffhanger() {
    return std::make_unique<Cliffhanger>();
}
std::unique_ptr<Divider> each_for_itself() {
    return std::make_unique<EachForItself>();
}

std::vector<std::string_view> divider_names() {
    std::vector<std::string_view> names;
    names.reserve(std::size(named));
    for (const Named& one : named)
        names.push_back(one.name);
    return names;
}

std::unique_ptr<Divider> divider_named(std::string_view name) {
    const auto* const found = std::find_if(named.begin(), named.end(), [&](const Named& one) { return one.name == name; });
    return found == named.end() ? nullptr : found->make();
}

}  // namespace tmm::soft_memory
