// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/pressure.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {

// Walks the cgroups on the way to contributions, and collects their neighbours.
class NeighbourWalk {
public:
    explicit NeighbourWalk(const std::vector<std::string>& transparent) : transparent_(transparent) {}

    void below(const OpenCgroup& cgroup) {
        for (const std::string& name : cgroup.children(budget_.left(cgroup.user()))) {
            if (!budget_.take(cgroup.user()))
                return;
            const std::string path = cgroup.path() + "/" + name;
            const auto holds = [&](const std::string& top) { return top == path || top.starts_with(path + "/"); };
            if (std::none_of(transparent_.begin(), transparent_.end(), holds)) {
                found.push_back(path);
            } else if (std::find(transparent_.begin(), transparent_.end(), path) == transparent_.end()) {
                if (const auto child = cgroup.child(name))
                    below(*child);
            }
        }
    }

    std::vector<std::string> found;

private:
    const std::vector<std::string>& transparent_;
    UserBudget budget_{max_opaque_per_user, max_opaque_of_root / max_opaque_per_user};
};

std::uint64_t rise(std::optional<std::uint64_t>& counter, std::uint64_t now) {
    const std::uint64_t before = counter.value_or(now);
    counter = now;
    return now - std::min(now, before);
}

std::optional<std::uint64_t> read_us(PersistentFile& file) {
    const auto text = file.read();
    const auto us = text ? parse_pressure_us(*text, "some") : Result<std::uint64_t>(text.error());
    return us ? std::optional(*us) : std::nullopt;
}

}  // namespace

std::vector<std::string> opaque_cgroups(const RootDir& root, const std::vector<std::string>& transparent_cgroups) {
    NeighbourWalk walk(transparent_cgroups);
    if (const auto top = OpenCgroup::open(root, cgroup_mount))
        walk.below(*top);
    return std::move(walk.found);
}

// Returns the sum; nothing if none of them counts.
std::optional<std::uint64_t> OpaqueWaiting::rise_of(Counters& counters, const std::vector<std::string>& cgroups) {
    std::erase_if(counters,
                  [&](const auto& entry) { return std::find(cgroups.begin(), cgroups.end(), entry.first) == cgroups.end(); });
    std::optional<std::uint64_t> sum;
    for (const std::string& cgroup : cgroups) {
        Counted& known =
            counters.try_emplace(cgroup, Counted{PersistentFile(root_, cgroup + "/memory.pressure"), {}}).first->second;
        if (const auto us = read_us(known.file))
            sum = sum.value_or(0) + rise(known.us, *us);
    }
    return sum;
}

std::optional<std::chrono::microseconds> OpaqueWaiting::read(const std::vector<std::string>& transparent_cgroups) {
    const auto machine_now = read_us(machine_);
    if (!machine_now) {
        machine_us_.reset();
        return std::nullopt;
    }
    const std::uint64_t machine = rise(machine_us_, *machine_now);
    std::uint64_t contributions = 0;
    if (doubt_ == Doubt::leave_out)
        contributions = rise_of(transparent_, transparent_cgroups).value_or(0);
    const auto opaque = rise_of(opaque_, opaque_cgroups(root_, transparent_cgroups));
    waited_ += std::chrono::microseconds(opaque ? std::min(*opaque, machine) : machine - std::min(machine, contributions));
    return waited_;
}

std::optional<double> OpaquePressure::share(const std::vector<std::string>& transparent_cgroups, core::AwakeTime now) {
    if (readings_.empty() || now - readings_.back().time >= min_interval) {
        const auto waited = waiting_.read(transparent_cgroups);
        if (!waited) {
            readings_.clear();
            return std::nullopt;
        }
        readings_.push_back({now, *waited});
        // The second oldest still covers the window.
        while (readings_.size() > 2 && now - readings_[1].time >= window)
            readings_.pop_front();
    }
    const core::Seconds seen = readings_.back().time - readings_.front().time;
    if (seen.count() <= 0)
        return std::nullopt;
    const core::Seconds waited = readings_.back().waited - readings_.front().waited;
    return std::min(waited / seen, 1.0);
}

}  // namespace tmm::os
