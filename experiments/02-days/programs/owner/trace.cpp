// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <numeric>

#include "presence.hpp"
#include "random.hpp"

namespace tmm::days {

namespace {

constexpr double zipf_exponent = 0.9;

struct Instance {
    std::uint32_t first = 0;
    std::uint32_t units = 0;
    std::uint32_t next = 0;  // of a loop
    bool alive = true;
};

class Maker {
public:
    Maker(const Owner& owner, const std::vector<Pattern>& patterns, const TraceOptions& options)
        : owner_(owner), options_(options) {
        trace_.unit_bytes = options.unit_bytes;
        trace_.seconds = as_second(owner.length);
        trace_.activity.assign(trace_.seconds, 0);
        add_presence(owner, options.seed, trace_);
        for (std::size_t part = 0; part < patterns.size(); ++part) {
            const std::size_t first_set = sets_.size();
            std::map<std::string, std::uint16_t> cgroups;
            for (const MemorySet& set : patterns[part].sets) {
                const auto [cgroup, is_new] = cgroups.try_emplace(set.cgroup, nr_cgroups_);
                nr_cgroups_ += is_new ? 1 : 0;
                sets_.push_back({set, owner.parts[part].scale, cgroup->second, {}});
            }
            for (const Use& use : patterns[part].uses)
                runners_.emplace_back(use, first_set + use.set, Random(options.seed, patterns[part].name, use.name));
        }
        for (Runner& runner : runners_)
            plan(runner);
    }

    Result<Trace> make() && {
        for (second_ = 0; second_ < trace_.seconds; ++second_) {
            for (Runner& runner : runners_)
                run(runner);
            if (trace_.events.size() > max_events || trace_.is_file.size() >= max_units)
                return Error(EINVAL, "the owner '" + owner_.name + "' touches too many units: take larger ones");
        }
        return std::move(trace_);
    }

private:
    struct LiveSet {
        MemorySet set;
        double scale;
        std::uint16_t cgroup;
        std::vector<std::size_t> live;  // indices of instances, oldest first
    };
    struct Runner {
        Runner(const Use& its_use, std::size_t its_set, Random its_random) : use(its_use), set(its_set), random(its_random) {}
        Use use;
        std::size_t set;
        Random random;
        std::vector<std::uint32_t> starts;
        std::size_t next_start = 0;
        bool running = false;
        std::size_t instance = 0;
        double carry = 0;  // fraction of a touch
        std::uint32_t to_fill = 0;
        double touches_left = 0;  // if use.rounds
        double seconds_left = 0;  // if use.duration
    };

    [[nodiscard]] bool counts(When when, std::uint32_t second) const {
        if (when == When::attended)
            return trace_.attended[second] != 0;
        if (when == When::unattended)
            return trace_.attended[second] == 0;
        return true;
    }

    [[nodiscard]] static bool on_day(const Use& use, std::uint32_t second) {
        return use.days[(second / seconds_per_day) % days_per_week];
    }

    void plan(Runner& runner) {
        const Use& use = runner.use;
        std::vector<double> starts;
        switch (use.when) {
            case When::clock:
                for (std::uint32_t midnight = 0; midnight < trace_.seconds; midnight += seconds_per_day)
                    starts.push_back(midnight + use.clock + use.jitter * runner.random.around());
                break;
            case When::morning: {
                std::uint32_t next_day = 0;
                for (std::uint32_t second = 0; second < trace_.seconds; ++second) {
                    if (trace_.attended[second] && second >= next_day) {
                        starts.push_back(second + use.jitter * runner.random.uniform());
                        next_day = (second / seconds_per_day + 1) * seconds_per_day;
                    }
                }
                break;
            }
            case When::back:
                for (const std::uint32_t second : trace_.returns)
                    starts.push_back(second + use.jitter * runner.random.uniform());
                break;
            case When::always:
            case When::attended:
            case When::unattended:
                plan_every(runner, starts);
                break;
        }
        for (const double start : starts) {
            const std::uint32_t second = as_second(start);
            if (second < trace_.seconds && on_day(use, second) && runner.random.uniform() < use.chance)
                runner.starts.push_back(second);
        }
        std::sort(runner.starts.begin(), runner.starts.end());
    }

    void plan_every(Runner& runner, std::vector<double>& starts) const {
        const Use& use = runner.use;
        double next = use.first ? *use.first : use.every ? *use.every * runner.random.uniform() : 0;
        double passed = 0;
        for (std::uint32_t second = 0; second < trace_.seconds; ++second) {
            if (!counts(use.when, second))
                continue;
            if (passed >= next) {
                starts.push_back(second);
                if (!use.every)
                    return;
                next += std::max(*use.every + use.jitter * runner.random.around(), 1.0);
            }
            passed += 1;
        }
    }

    void run(Runner& runner) {
        while (runner.next_start < runner.starts.size() && runner.starts[runner.next_start] <= second_) {
            ++runner.next_start;
            if (!runner.running)
                begin(runner);
        }
        if (!runner.running || !counts(runner.use.when, second_))
            return;
        Instance& instance = instances_[runner.instance];
        if (!instance.alive) {
            runner.running = false;
            return;
        }
        trace_.activity[second_] += static_cast<float>(runner.use.cpu);
        touch(runner, instance);
        if (runner.to_fill == 0 && runner.use.duration && --runner.seconds_left <= 0)
            runner.running = false;
        if (runner.to_fill == 0 && runner.use.rounds && runner.touches_left <= 0)
            runner.running = false;
        if (!runner.running && runner.use.frees)
            free_instance(runner.set, runner.instance);
    }

    void begin(Runner& runner) {
        LiveSet& set = sets_[runner.set];
        const Use& use = runner.use;
        const bool revisits = use.fresh && !set.live.empty() && runner.random.uniform() < use.revisit;
        const bool is_new = set.live.empty() || (use.fresh && !revisits);
        if (is_new) {
            add_instance(set, runner.random);
            if (use.keep > 0 && set.live.size() > use.keep)
                free_instance(runner.set, set.live.front());
        }
        std::size_t chosen = set.live.size() - 1;
        if (revisits) {
            // One of those before the newest, the i-th newest with a chance that falls as 1/(i + 1).
            double all = 0;
            for (std::size_t i = 0; i < set.live.size(); ++i)
                all += 1.0 / static_cast<double>(i + 1);
            double left = all * runner.random.uniform();
            for (std::size_t i = 0; i < set.live.size(); ++i) {
                chosen = set.live.size() - 1 - i;
                left -= 1.0 / static_cast<double>(i + 1);
                if (left <= 0)
                    break;
            }
        }
        runner.running = true;
        runner.instance = set.live[chosen];
        Instance& instance = instances_[runner.instance];
        runner.carry = 0;
        runner.to_fill = is_new && use.fill > 0 ? instance.units : 0;
        runner.touches_left = use.rounds ? *use.rounds * instance.units : 0;
        runner.seconds_left = use.duration.value_or(0);
    }

    void add_instance(LiveSet& set, Random& random) {
        const double bytes = (set.set.bytes * set.scale + set.set.share_of_memory * static_cast<double>(options_.memory_bytes)) *
                             options_.scale * (1 + set.set.vary * random.around());
        Instance instance;
        instance.first = trace_.nr_units();
        instance.units = std::max<std::uint32_t>(
            static_cast<std::uint32_t>(std::llround(std::min(bytes / static_cast<double>(options_.unit_bytes), 1e9))), 1);
        trace_.is_file.resize(trace_.is_file.size() + instance.units, set.set.file ? 1 : 0);
        trace_.cgroup_of.resize(trace_.is_file.size(), set.cgroup);
        set.live.push_back(instances_.size());
        instances_.push_back(instance);
    }

    void free_instance(std::size_t set_index, std::size_t index) {
        Instance& instance = instances_[index];
        for (std::uint32_t unit = 0; unit < instance.units; ++unit)
            trace_.events.push_back({.second = second_, .unit = instance.first + unit, .frees = 1, .waits = 0});
        instance.alive = false;
        std::erase(sets_[set_index].live, index);
    }

    void touch(Runner& runner, Instance& instance) {
        const bool filling = runner.to_fill > 0;
        runner.carry += instance.units / (filling ? runner.use.fill : runner.use.round);
        auto touches = static_cast<std::uint32_t>(runner.carry);
        runner.carry -= touches;
        if (filling)
            touches = std::min(touches, runner.to_fill);
        else if (runner.use.rounds)
            touches = std::min(touches, static_cast<std::uint32_t>(std::ceil(runner.touches_left)));
        for (std::uint32_t i = 0; i < touches; ++i) {
            const std::uint32_t unit = filling ? instance.units - runner.to_fill-- : pick(runner, instance);
            trace_.events.push_back(
                {.second = second_, .unit = instance.first + unit, .frees = 0, .waits = runner.use.waits ? 1U : 0U});
        }
        if (!filling)
            runner.touches_left -= touches;
    }

    static std::uint32_t pick(Runner& runner, Instance& instance) {
        switch (runner.use.order) {
            case Order::random:
                return runner.random.below(instance.units);
            case Order::zipf: {
                // The inverse of the distribution with a density of (1 + x)^-s.
                const double all = std::pow(1.0 + instance.units, 1 - zipf_exponent) - 1;
                const double rank = std::pow(1 + all * runner.random.uniform(), 1 / (1 - zipf_exponent)) - 1;
                return std::min(static_cast<std::uint32_t>(rank), instance.units - 1);
            }
            case Order::loop:
                break;
        }
        const std::uint32_t unit = instance.next;
        instance.next = unit + 1 == instance.units ? 0 : unit + 1;
        return unit;
    }

    const Owner& owner_;
    TraceOptions options_;
    Trace trace_;
    std::vector<LiveSet> sets_;
    std::vector<Instance> instances_;
    std::vector<Runner> runners_;
    std::uint16_t nr_cgroups_ = 0;
    std::uint32_t second_ = 0;
};

}  // namespace

std::vector<double> after_returns(const Trace& trace, const std::vector<double>& by_second) {
    constexpr std::uint32_t minute = 60;
    std::vector<double> sums;
    for (const std::uint32_t back : trace.returns) {
        const std::uint32_t end = std::min(back + minute, trace.seconds);
        sums.push_back(std::accumulate(by_second.begin() + back, by_second.begin() + end, 0.0));
    }
    return sums;
}

Result<Trace> make_trace(const Owner& owner, const std::vector<Pattern>& patterns, const TraceOptions& options) {
    return Maker(owner, patterns, options).make();
}

}  // namespace tmm::days
