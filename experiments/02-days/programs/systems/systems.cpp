// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The systems that TMM is compared with.
#include <algorithm>
#include <cmath>
#include <map>

#include "system.hpp"
#include "tmm_system.hpp"

namespace tmm::days {

namespace {

// The owner's class goes last and has no limit: contributions get what no program has touched, and nothing more.
class Priority : public System {
public:
    void tick(const Second& /*second*/, LruMemory& /*memory*/) override {}
};

// A limit that does not move.
class Static : public System {
public:
    explicit Static(double share) : share_(share) {}
    void tick(const Second& /*second*/, LruMemory& memory) override {
        memory.set_limit(static_cast<std::uint32_t>(share_ * memory.capacity()));
    }

private:
    double share_;
};

// Gives away what was not used for so long, as kstaled's idle page tracking lets one do.
class Age : public System {
public:
    explicit Age(std::uint32_t seconds) : seconds_(seconds) {}
    void tick(const Second& second, LruMemory& memory) override {
        if (second.second > seconds_)
            memory.evict_older(second.second - seconds_);
    }

private:
    std::uint32_t seconds_;
};

// Evicts a little all the time, less the more programs wait: reclaim = resident * ratio * max(0, 1 - stall / threshold) every 6 s
// (Weiner et al., TMO, ASPLOS'22, section 3.3, with their values for ratio and threshold). stall: share of those 6 s.
class Senpai : public System {
public:
    void tick(const Second& second, LruMemory& memory) override {
        waited_ += std::min(second.waited, 1.0);
        if (second.second % interval != interval - 1)
            return;
        const double stall = waited_ / interval;
        waited_ = 0;
        owed_ += memory.resident() * ratio * std::max(0.0, 1 - stall / threshold);
        const auto units = static_cast<std::uint32_t>(owed_);
        owed_ -= units;
        memory.evict(units);
    }

private:
    static constexpr std::uint32_t interval = 6;
    static constexpr double ratio = 0.0005;
    static constexpr double threshold = 0.001;
    double waited_ = 0;
    double owed_ = 0;  // fraction of a unit
};

}  // namespace

const std::vector<std::string>& system_names() {
    static const std::vector<std::string> names{"priority",   "static-25", "static-50", "static-75",    "age-2m",
                                                "age-30m",    "age-8h",    "senpai",    "tmm-paper",    "tmm-reuse",
                                                "tmm-unseen", "tmm-idle",  "tmm-mglru", "tmm-footprint"};
    return names;
}

std::unique_ptr<System> make_system(std::string_view name, const Machine& machine,
                                    std::optional<std::chrono::nanoseconds> break_even) {
    if (name == "priority")
        return std::make_unique<Priority>();
    if (name == "static-25")
        return std::make_unique<Static>(0.25);
    if (name == "static-50")
        return std::make_unique<Static>(0.50);
    if (name == "static-75")
        return std::make_unique<Static>(0.75);
    if (name == "age-2m")
        return std::make_unique<Age>(120);
    if (name == "age-30m")
        return std::make_unique<Age>(1800);
    if (name == "age-8h")
        return std::make_unique<Age>(8 * 3600);
    if (name == "senpai")
        return std::make_unique<Senpai>();
    if (name == "tmm-paper")
        return make_tmm(TmmObjective::paper, People::seen, machine);
    if (name == "tmm-reuse")
        return make_tmm(TmmObjective::reuse, People::seen, machine, {}, SourceKind::exact, break_even);
    if (name == "tmm-unseen")
        return make_tmm(TmmObjective::reuse, People::unseen, machine, {}, SourceKind::exact, break_even);
    if (name == "tmm-idle")
        return make_tmm(TmmObjective::reuse, People::seen, machine, {}, SourceKind::idle, break_even);
    if (name == "tmm-mglru")
        return make_tmm(TmmObjective::reuse, People::seen, machine, {}, SourceKind::mglru, break_even);
    if (name == "tmm-footprint")
        return make_tmm(TmmObjective::reuse, People::seen, machine, {}, SourceKind::footprints, break_even);
    return nullptr;
}

}  // namespace tmm::days
