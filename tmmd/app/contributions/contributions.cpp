// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/contributions/contributions.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::app {

namespace {

// Bounds the search for contributions that run. Empty cgroups count here, and only here.
constexpr std::size_t max_cgroups_looked_at = std::size_t{4} * Contributions::max_per_user;
// Bounds the one search for cgroups that a killed daemon held.
constexpr std::size_t max_cgroups_released = 4096;

// Returns the v2 cgroup in the text of /proc/PID/cgroup, below the root directory.
std::optional<std::string> cgroup_of(std::string_view text) {
    constexpr std::string_view v2 = "0::/";
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with(v2))
            return std::string(os::cgroup_mount) + "/" + std::string(line.substr(v2.size()));
    }
    return std::nullopt;
}

std::string parent_of(const std::string& cgroup) {
    return cgroup.substr(0, cgroup.find_last_of('/'));
}

}  // namespace

void Contributions::update(const std::vector<std::string>& transparent_cgroups) {
    tops_ = transparent_cgroups;
    std::map<std::uint64_t, Entry> entries;
    std::map<uid_t, std::size_t> of_users;
    const std::vector<os::FoundContribution> found = os::find_contributions(root_, tops_, max_cgroups_looked_at);
    for (const os::FoundContribution& one : found) {
        if (entries.size() < max_total)
            take_over(entries, one, of_users);
    }
    entries_.swap(entries);

    std::map<std::uint64_t, os::Contribution> slices;
    for (const std::string& top : tops_) {
        if (std::ranges::binary_search(found, top, {}, &os::FoundContribution::cgroup))
            continue;
        auto opened = os::Contribution::open(root_, top);
        if (!opened)
            problem_.warn(opened.error().message());
        if (!opened || !*opened)
            continue;
        auto known = slices_.extract((*opened)->id());
        slices.emplace((*opened)->id(), known ? std::move(known.mapped()) : **std::move(opened));
    }
    slices_.swap(slices);
    for (auto& [id, entry] : entries)
        let_go(id, entry.contribution);
    for (auto& [id, slice] : slices)
        let_go(id, slice);
    const auto is_gone = [&](std::uint64_t id) { return !entries_.contains(id) && !slices_.contains(id); };
    std::erase_if(evicted_, is_gone);
    std::erase_if(parts_, is_gone);
    apply_all();
}

// Thaws what is no contribution any more, or is one too many: nobody would find it again.
void Contributions::let_go(std::uint64_t id, os::Contribution& contribution) {
    const bool is_known = entries_.contains(id) || slices_.contains(id);
    if (dry_run_ || is_known || !root_.exists(contribution.cgroup()))
        return;
    leave(contribution);
}

// Nothing is taken from what runs.
void Contributions::leave(os::Contribution& contribution) {
    if (evicts_all(contribution) || parts_.contains(contribution.id()))
        evictor_.spare(contribution.cgroup());
    if (const auto left = contribution.leave(); !left)
        problem_.warn(left.error().message());
}

// Known contributions keep their name and the commands of their users.
void Contributions::take_over(std::map<std::uint64_t, Entry>& entries, const os::FoundContribution& found,
                              std::map<uid_t, std::size_t>& of_users) {
    if (found.user != 0 && of_users[found.user] == max_per_user)
        return;
    auto opened = os::Contribution::open(root_, found.cgroup);
    if (!opened)
        problem_.warn(opened.error().message());
    if (!opened || !*opened || !(*opened)->is_populated())
        return;
    os::Contribution& contribution = **opened;
    const uid_t owner = contribution.owner();
    // Below a user's directory it counts for that user, whatever number it was given.
    std::size_t& of_user = of_users[found.user != 0 ? found.user : owner];
    if (of_user == max_per_user)
        return;
    ++of_user;
    const std::uint64_t id = contribution.id();
    if (auto known = entries_.extract(id)) {
        known.mapped().owner = owner;
        entries.insert(std::move(known));
        return;
    }
    const bool paused = contribution.frozen_for() == os::FreezeReason::pause;
    std::string name = contribution.name();
    entries.emplace(id, Entry{std::move(contribution), std::move(name), owner, paused, false, {}});
}

void Contributions::tick(core::AwakeTime now) {
    for (auto& [id, entry] : entries_) {
        if (!entry.kill_at || now < *entry.kill_at)
            continue;
        const auto killed = entry.contribution.kill();
        if (!killed)
            problem_.warn(killed.error().message());
        entry.kill_at = now + grace;  // sends SIGKILL again if it is still there then
    }
}

void Contributions::hold(core::Hold hold) {
    if (hold == hold_)
        return;
    hold_ = hold;
    apply_all();
}

Result<void> Contributions::evict_held(Bytes bytes) {
    if (dry_run_ || hold_ == core::Hold::none)
        return {};
    std::vector<std::pair<Bytes, const os::Contribution*>> held;
    const auto add = [&](const os::Contribution& one) {
        if (one.frozen_for() == os::FreezeReason::hold && !evicts_all(one))
            held.emplace_back(one.memory_bytes().value_or(Bytes(0)), &one);
    };
    for (const auto& [id, slice] : slices_)
        add(slice);
    for (const auto& [id, entry] : entries_)
        add(entry.contribution);
    std::ranges::sort(held, std::greater(), &std::pair<Bytes, const os::Contribution*>::first);
    Result<void> done;
    for (const auto& [memory, one] : held) {
        const Bytes part = std::min(bytes, memory);
        if (part == Bytes(0))
            break;
        parts_.insert(one->id());
        if (auto asked = evictor_.evict_part(one->cgroup(), part); !asked)
            done = std::move(asked);
        bytes -= part;
    }
    return done;
}

void Contributions::release_all() {
    if (dry_run_)
        return;
    for (auto& [id, slice] : slices_)
        leave(slice);
    for (auto& [id, entry] : entries_)
        leave(entry.contribution);
}

Result<void> Contributions::release_left_behind(const RootDir& root) {
    auto tops = os::find_transparent_cgroups(root);
    if (!tops)
        return std::move(tops).error();
    std::vector<std::string> cgroups;
    for (os::FoundContribution& one : os::find_contributions(root, *tops, max_cgroups_released))
        cgroups.push_back(std::move(one.cgroup));
    cgroups.insert(cgroups.end(), tops->begin(), tops->end());
    Result<void> done;
    for (const std::string& cgroup : cgroups) {
        auto opened = os::Contribution::open(root, cgroup);
        auto left = opened && *opened ? (*opened)->leave() : opened ? Result<void>() : Result<void>(opened.error());
        if (!left)
            done = std::move(left);
    }
    return done;
}

std::vector<ContributionInfo> Contributions::list() const {
    std::vector<ContributionInfo> infos;
    for (const auto& [id, entry] : entries_) {
        if (!entry.contribution.is_populated())
            continue;
        ContributionInfo info{.id = id,
                              .name = entry.name,
                              .owner = entry.owner,
                              .memory_bytes = entry.contribution.memory_bytes().value_or(Bytes(0)),
                              .far_bytes = entry.contribution.far_bytes(),
                              .weight = entry.contribution.weight(),
                              .state = WorkState::running,
                              .paused = entry.paused};
        if (entry.kill_at)
            info.state = WorkState::stopping;
        else if (entry.paused || (hold_ != core::Hold::none && !entry.never_held_frozen))
            info.state = WorkState::paused;
        infos.push_back(std::move(info));
    }
    return infos;
}

std::vector<pid_t> Contributions::processes(std::uint64_t id) const {
    const auto entry = entries_.find(id);
    return entry == entries_.end() ? std::vector<pid_t>() : entry->second.contribution.processes();
}

std::optional<std::uint64_t> Contributions::find_by_process(pid_t pid) const {
    const auto text = root_.read_file("proc/" + std::to_string(pid) + "/cgroup");
    const auto cgroup = text ? cgroup_of(*text) : std::nullopt;
    if (!cgroup)
        return std::nullopt;
    for (const auto& [id, entry] : entries_) {
        if (*cgroup == entry.contribution.cgroup() || cgroup->starts_with(entry.contribution.cgroup() + "/"))
            return id;
    }
    return std::nullopt;
}

Result<void> Contributions::rename(std::uint64_t id, const std::string& name) {
    const auto entry = find(id);
    if (!entry)
        return entry.error();
    (*entry)->name = name;
    return {};
}

Result<void> Contributions::pause(std::uint64_t id) {
    const auto entry = find(id);
    if (!entry)
        return entry.error();
    (*entry)->paused = true;
    return apply(**entry);
}

Result<void> Contributions::resume(std::uint64_t id) {
    const auto entry = find(id);
    if (!entry)
        return entry.error();
    (*entry)->paused = false;
    return apply(**entry);
}

Result<void> Contributions::stop(std::uint64_t id, core::AwakeTime now) {
    const auto entry = find(id);
    if (!entry)
        return entry.error();
    if ((*entry)->kill_at)
        return {};
    (*entry)->kill_at = now + grace;
    // A frozen process cannot end in good order.
    (*entry)->paused = false;
    if (auto applied = apply(**entry); !applied)
        return applied;
    return dry_run_ ? Result<void>() : (*entry)->contribution.terminate();
}

Result<void> Contributions::set_weight(std::uint64_t id, unsigned weight) {
    const auto entry = find(id);
    if (!entry)
        return entry.error();
    return dry_run_ ? Result<void>() : (*entry)->contribution.set_weight(weight);
}

Result<Contributions::Entry*> Contributions::find(std::uint64_t id) {
    const auto entry = entries_.find(id);
    if (entry == entries_.end())
        return Error(ENOENT, "there is no contribution " + std::to_string(id) + " any more");
    return &entry->second;
}

bool Contributions::is_top(const std::string& cgroup) const {
    return std::find(tops_.begin(), tops_.end(), cgroup) != tops_.end();
}

// A hold freezes a slice as a whole, so that a process that begins in it is frozen from its start. A contribution with a pause of
// its own stays frozen when the slice is thawed. In a slice with one that is never to be frozen, the others are frozen one by
// one.
Result<void> Contributions::apply(Entry& entry) {
    if (dry_run_)
        return {};
    if (entry.paused)
        return freeze(entry.contribution, os::FreezeReason::pause);
    const std::string& cgroup = entry.contribution.cgroup();
    if (hold_ == core::Hold::none || !(is_top(cgroup) || split_slices_.contains(parent_of(cgroup))))
        return thaw(entry.contribution);
    return entry.never_held_frozen ? let_run(entry.contribution) : freeze(entry.contribution, os::FreezeReason::hold);
}

Result<void> Contributions::freeze(os::Contribution& contribution, os::FreezeReason reason) {
    auto frozen = contribution.freeze(reason);
    if (reason != os::FreezeReason::pause && hold_ != core::Hold::evict)
        return frozen;
    const auto asked = evict(contribution);
    return frozen ? asked : frozen;
}

Result<void> Contributions::evict(const os::Contribution& contribution) {
    const bool is_new = evicted_.insert(contribution.id()).second;
    return is_new ? evictor_.evict(contribution.cgroup()) : Result<void>();
}

// What it reads back meanwhile, it loses only as far as the limits say.
Result<void> Contributions::let_run(os::Contribution& contribution) {
    if (hold_ != core::Hold::evict)
        return thaw(contribution);
    auto thawed = contribution.thaw();
    const auto asked = evict(contribution);
    return thawed ? asked : thawed;
}

Result<void> Contributions::thaw(os::Contribution& contribution) {
    const bool all = evicted_.erase(contribution.id()) != 0;
    const bool part = parts_.erase(contribution.id()) != 0;
    if (all || part)
        evictor_.spare(contribution.cgroup());
    return contribution.thaw();
}

void Contributions::read_wishes() {
    split_slices_.clear();
    for (auto& [id, entry] : entries_) {
        entry.never_held_frozen = entry.contribution.is_never_held_frozen();
        if (entry.never_held_frozen)
            split_slices_.insert(parent_of(entry.contribution.cgroup()));
    }
}

void Contributions::apply_all() {
    read_wishes();
    std::string problem;
    for (auto& [id, slice] : slices_) {
        if (dry_run_)
            break;
        const bool held = hold_ != core::Hold::none && !split_slices_.contains(slice.cgroup());
        const auto done = held ? freeze(slice, os::FreezeReason::hold) : thaw(slice);
        if (!done)
            problem = done.error().message();
    }
    for (auto& [id, entry] : entries_) {
        const auto done = apply(entry);
        if (!done)
            problem = done.error().message();
    }
    problem_.warn(problem);
}

}  // namespace tmm::app
