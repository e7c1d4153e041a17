// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/bus_model.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>

#include "tmmd/os/page_size.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {

namespace {

std::uint64_t wire_bytes(std::optional<Bytes> limit) {
    return limit ? limit->count() : wire::no_limit;
}

std::uint64_t microseconds(core::WallTime time) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time.time_since_epoch().count(), 0));
}

std::uint64_t whole(double value) {
    return std::isfinite(value) && value > 0 ? static_cast<std::uint64_t>(std::llround(value)) : 0;
}

std::uint64_t paused_until(const core::Settings& settings) {
    if (!settings.paused)
        return 0;
    return settings.paused_until ? microseconds(*settings.paused_until) : wire::until_resumed;
}

std::string state_word(WorkState state) {
    switch (state) {
        case WorkState::paused:
            return "paused";
        case WorkState::stopping:
            return "stopping";
        default:
            return "running";
    }
}

core::Resolution core_resolution(bus::Resolution resolution) {
    switch (resolution) {
        case bus::Resolution::minutes:
            return core::Resolution::minutes;
        case bus::Resolution::hours:
            return core::Resolution::hours;
        default:
            return core::Resolution::days;
    }
}

wire::HistoryRow wire_row(const core::UsageRow& row) {
    return {.start_us = microseconds(row.start),
            .measured_s = whole(row.observed.count()),
            .opaque_bytes = whole(row.mean.opaque),
            .transparent_bytes = whole(row.mean.transparent),
            .free_bytes = whole(row.mean.free),
            .opaque_limit_bytes = whole(row.mean.opaque_limit),
            .transparent_limit_bytes = whole(row.mean.transparent_limit),
            .stall = row.stall,
            .return_faults = row.faults_after_returns};
}

bool is_full(const std::vector<ContributionInfo>& all, uid_t user) {
    const auto own = std::count_if(all.begin(), all.end(), [user](const auto& one) { return one.owner == user; });
    return own >= static_cast<std::ptrdiff_t>(Contributions::max_per_user) || all.size() >= Contributions::max_total;
}

}  // namespace

wire::Caps caps_in_force(const core::Caps& owner, const core::Caps& administrator) {
    wire::Caps caps;
    for (const core::Caps* one : {&owner, &administrator}) {
        caps.max_bytes = std::min(caps.max_bytes, wire_bytes(one->max_bytes));
        caps.max_percent = std::min(caps.max_percent, one->max_percent.value_or(wire::all_percent));
        caps.only_when_idle |= one->only_when_idle;
        caps.only_on_mains |= one->only_on_mains;
    }
    // Both quiet hours count. The status shows the administrator's, since owners know their own.
    const auto& hours = administrator.quiet_hours ? administrator.quiet_hours : owner.quiet_hours;
    if (hours)
        caps.quiet_hours = core::format_quiet_hours(*hours);
    return caps;
}

wire::Values values_of(const core::Reason& reason, Bytes page_bytes) {
    namespace key = wire::key;
    wire::Values values;
    const auto add_bytes = [&](const char* name, core::Pages pages) { values[name] = core::to_bytes(pages, page_bytes).count(); };
    switch (reason.code) {
        case core::ReasonCode::measured:
        case core::ReasonCode::corrected:
            add_bytes(key::total_bytes, reason.total);
            add_bytes(key::need_bytes, reason.need);
            add_bytes(key::opaque_limit_bytes, reason.opaque_limit);
            add_bytes(key::allowed_bytes, reason.allowed);
            break;
        case core::ReasonCode::quiet_hours:
            values[key::quiet_hours] = reason.quiet_hours;
            break;
        case core::ReasonCode::in_use:
            values[key::idle_after_seconds] = whole(reason.idle_after.count());
            break;
        case core::ReasonCode::pressure:
            values[key::stall] = reason.stall;
            break;
        case core::ReasonCode::compressed_swap:
            add_bytes(key::swap_bytes, reason.swap);
            break;
        case core::ReasonCode::lack:
            add_bytes(key::lack_bytes, reason.lack);
            break;
        default:
            break;
    }
    if (reason.cap)
        add_bytes(key::cap_bytes, *reason.cap);
    if (reason.expected_misses_per_s)
        values[key::expected_misses_per_second] = *reason.expected_misses_per_s;
    if (reason.histogram_kept)
        values[key::histogram_kept] = true;
    if (reason.by_administrator)
        values[key::by_administrator] = true;
    return values;
}

wire::Status status_of(const Daemon& daemon, const core::Moment& now) {
    const auto bytes = [](core::Pages pages) { return core::to_bytes(pages, os::page_bytes()).count(); };
    const core::Tick& tick = daemon.decided();
    const core::GivingDecision& given = tick.wanted().given;
    const core::Settings settings = tick.settings(now);
    const Condition condition = daemon.condition();
    wire::Status status;
    status.version = TMM_VERSION;
    status.state = condition.trouble ? "trouble" : std::string(core::name_of(given.kind));
    status.reason = condition.reason;
    status.reason_code = condition.no_kernel ? wire::reason::no_kernel
                         : condition.trouble ? wire::reason::trouble
                                             : std::string(core::name_of(given.reason.code));
    if (!condition.trouble)
        status.reason_values = values_of(given.reason, os::page_bytes());
    status.paused_until_us = paused_until(settings);
    if (const auto& usage = tick.wanted().memory) {
        status.total_bytes = bytes(usage->total);
        status.opaque_bytes = bytes(usage->opaque);
        status.transparent_bytes = bytes(usage->transparent);
        status.free_bytes = bytes(free_pages(*usage));
        status.soft_bytes = bytes(usage->soft);
    }
    const auto& limits = daemon.kernel().in_force();
    status.opaque_limit_bytes = limits ? bytes(limits->opaque) : wire::no_limit;
    status.transparent_limit_bytes = limits ? bytes(limits->transparent) : wire::no_limit;
    status.expected_slowdown = wire::unknown_share;
    if (tick.latest() && !condition.trouble)
        status.expected_slowdown = tick.latest()->decision.expected_slowdown.value_or(wire::unknown_share);
    status.measured_stall = daemon.usage().stall();
    status.last_return_faults = daemon.usage().last_return_faults();
    status.owner_decided = daemon.owner_decided();
    status.caps = caps_in_force(settings.caps, daemon.administrators().caps);
    const bool sampling = daemon.kernel().is_open();
    status.source = sampling ? std::string(daemon.kernel().source().traits().id) : "none";
    status.source_reason = sampling ? daemon.kernel().source().description() : condition.reason;
    status.given_byte_seconds = daemon.usage().history().given_byte_seconds();
    return status;
}

wire::Status BusModel::status() {
    return status_of(daemon_, clocks_());
}

std::vector<wire::HistoryRow> BusModel::history(bus::Resolution resolution) {
    std::vector<wire::HistoryRow> rows;
    for (const core::UsageRow& row : daemon_.usage().history().rows(core_resolution(resolution)))
        rows.push_back(wire_row(row));
    return rows;
}

std::vector<wire::Decision> BusModel::decisions(std::size_t max) {
    std::vector<wire::Decision> entries;
    for (const core::LoggedDecision& one : daemon_.usage().decisions().newest(max))
        entries.push_back({.first_us = microseconds(one.first),
                           .last_us = microseconds(one.last),
                           .times = static_cast<std::uint32_t>(std::min<std::uint64_t>(one.count, UINT32_MAX)),
                           .kind = one.kind,
                           .reason = words::sentence(one.reason, os::page_bytes()),
                           .reason_code = std::string(core::name_of(one.reason.code)),
                           .reason_values = values_of(one.reason, os::page_bytes())});
    return entries;
}

namespace {

double hits_of(const core::SoftHeap& heap, double misses_per_s) {
    const double uses = heap.uses_per_s();
    return uses > 0 ? std::clamp(1 - misses_per_s / uses, 0.0, 1.0) : 0;
}

}  // namespace

std::vector<wire::SoftHeap> BusModel::soft_heaps() {
    constexpr Bytes more(std::uint64_t{100} << 20);
    std::vector<wire::SoftHeap> rows;
    for (const soft::SoftServer::Peer& peer : daemon_.soft_peers()) {
        const double rebuilding = peer.heap.rebuilding(peer.granted);
        rows.push_back({.process = static_cast<std::uint32_t>(peer.process),
                        .user = peer.user,
                        .granted_bytes = peer.granted.count(),
                        .used_bytes = peer.heap.used.count(),
                        .footprint_bytes = peer.heap.footprint.count(),
                        .rebuilding = rebuilding,
                        .gain = rebuilding - peer.heap.rebuilding(peer.granted + more),
                        .hits = hits_of(peer.heap, peer.heap.real_misses_per_s),
                        .predicted = hits_of(peer.heap, peer.heap.misses_by_curve(peer.heap.budget))});
    }
    return rows;
}

wire::SoftShares BusModel::soft_shares() {
    const core::SoftShares shares = daemon_.decided().settings(clocks_()).soft;
    wire::SoftShares told;
    if (shares.max_bytes)
        told.max_bytes = shares.max_bytes->count();
    for (const auto& [user, weight] : shares.weights)
        told.weights.push_back({user, weight});
    return told;
}

Result<void> BusModel::apply_command(const core::OwnerCommand& command) {
    if (const auto* const wanted = std::get_if<core::WeighSoft>(&command)) {
        core::SoftShares shares = daemon_.decided().settings(clocks_()).soft;
        if (!core::weigh(shares, wanted->user, wanted->weight))
            return Error(EUSERS, std::to_string(core::max_weighed_users) + " users have a weight for soft memory already");
    }
    return daemon_.apply_command(command, clocks_());
}

std::vector<bus::Contribution> BusModel::contributions() {
    std::vector<bus::Contribution> all;
    for (const ContributionInfo& one : daemon_.contributions().list())
        all.push_back({.id = one.id,
                       .user = one.owner,
                       .name = one.name,
                       .memory_bytes = one.memory_bytes.count(),
                       .state = state_word(one.state),
                       .weight = one.weight.value_or(bus::default_weight),
                       .far_bytes = one.far_bytes.count()});
    return all;
}

Result<bus::ContributionPids> BusModel::pids(bus::ContributionId id) {
    const std::vector<pid_t> processes = daemon_.contributions().processes(id);
    bus::ContributionPids result;
    result.truncated = processes.size() > bus::max_pids;
    const auto end = processes.begin() + static_cast<std::ptrdiff_t>(std::min(processes.size(), bus::max_pids));
    result.pids.assign(processes.begin(), end);
    return result;
}

Result<void> BusModel::steer(bus::ContributionId id, bus::Steering what) {
    Contributions& all = daemon_.contributions();
    switch (what) {
        case bus::Steering::pause:
            return all.pause(id);
        case bus::Steering::resume:
            return all.resume(id);
        default:
            return all.stop(id, clocks_().awake);
    }
}

Result<void> BusModel::set_weight(bus::ContributionId id, std::uint32_t weight) {
    return daemon_.contributions().set_weight(id, weight);
}

Result<bus::ContributionId> BusModel::register_contribution(pid_t pid, uid_t user, const std::string& name) {
    // The process that opened the connection may have ended, and another may have its number. A check of the user suffices:
    // another process of the same user gains nothing.
    struct stat process {};
    const std::string entry = "proc/" + std::to_string(pid);
    if (pid <= 0 || ::fstatat(root_.fd(), entry.c_str(), &process, AT_SYMLINK_NOFOLLOW) != 0 || process.st_uid != user)
        return Error(ENXIO, "the process that opened the connection has ended, or belongs to another user");
    Contributions& all = daemon_.contributions();
    auto id = all.find_by_process(pid);
    if (!id) {
        daemon_.discover_contributions();  // the contribution may have just started
        id = all.find_by_process(pid);
    }
    if (!id && is_full(all.list(), user))
        return Error(EUSERS, "there are " + std::to_string(Contributions::max_per_user) + " contributions of this user already");
    if (!id)
        return Error(ENXIO, "process " + std::to_string(pid) + " is in no transparent cgroup; start it with maketransparent(1)");
    const auto known = all.list();
    const auto info = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.id == *id; });
    if (info == known.end() || (user != 0 && info->owner != user))
        return Error(ENXIO, "the cgroup of process " + std::to_string(pid) + " belongs to another user");
    const auto renamed = all.rename(*id, name);
    if (!renamed)
        return renamed.error();
    return *id;
}

}  // namespace tmm::app
