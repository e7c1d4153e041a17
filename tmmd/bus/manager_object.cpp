// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/manager_object.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "tmmd/bus/arguments.hpp"
#include "tmmd/bus/changes.hpp"
#include "tmmd/wire/members.hpp"

namespace tmm::bus {

namespace {

constexpr const char* manager_interface = org::transparentmemory::Tmm1_adaptor::INTERFACE_NAME;
constexpr std::uint64_t max_pause_s = std::uint64_t{365} * 24 * 3600;

bool belongs_to_all(const std::vector<Contribution>& contributions, uid_t user) {
    return std::all_of(contributions.begin(), contributions.end(), [user](const Contribution& one) { return one.user == user; });
}

std::map<std::string, sdbus::Variant> variants_of(const wire::Values& values) {
    std::map<std::string, sdbus::Variant> variants;
    for (const auto& [name, value] : values)
        std::visit([&, &name = name](const auto& plain) { variants.emplace(name, sdbus::Variant(plain)); }, value);
    return variants;
}

}  // namespace

ManagerObject::ManagerObject(const Context& context)
    : AdaptorInterfaces(context.connection, sdbus::ObjectPath("/org/transparentmemory/Tmm1")), context_(context) {
    registerAdaptor();
    refresh();
    published_ = now_;
    published_paths_ = Contributions();
}

void ManagerObject::refresh() {
    now_ = context_.model.status();
    refresh_contributions();
}

void ManagerObject::refresh_contributions() {
    known_ = context_.model.contributions();
    std::set<ContributionId> ids;
    for (const Contribution& contribution : known_) {
        ids.insert(contribution.id);
        auto& object = contributions_[contribution.id];
        if (object) {
            object->refresh(contribution);
            continue;
        }
        object = std::make_unique<ContributionObject>(context_, contribution);
        emitContributionAdded(path_of(contribution.id));
    }
    std::erase_if(contributions_, [&](const auto& entry) {
        if (ids.contains(entry.first))
            return false;
        emitContributionRemoved(path_of(entry.first));
        return true;
    });
}

bool ManagerObject::publish() {
    std::vector<std::string> names = take_changes(published_, now_);
    if (const auto paths = Contributions(); published_paths_ != paths) {
        names.emplace_back("Contributions");
        published_paths_ = paths;
    }
    if (!names.empty())
        wire::compat::emit_changed(getObject(), manager_interface, names);
    bool published = !names.empty();
    for (const auto& [id, object] : contributions_)
        published |= object->publish(now_.total_bytes);
    return published;
}

void ManagerObject::apply_command(sdbus::Result<>&& result, const char* action, const core::OwnerCommand& command) {
    const Reply<> reply(std::move(result));
    context_.access.check(wire::compat::sender_of(getObject()), action,
                          [reply, &context = context_, command](const tmm::Result<Caller>& caller) {
                              if (!caller)
                                  return reply.fail(caller.error());
                              const auto done = context.model.apply_command(command);
                              context.changed();
                              reply.give_result(done);
                          });
}

void ManagerObject::Pause(sdbus::Result<>&& result, std::uint64_t seconds) {
    if (seconds > max_pause_s)
        return Reply<>(std::move(result)).fail(Error(EINVAL, "Pause: at most 31536000 seconds (a year), or 0 for until Resume"));
    core::Pause pause;
    if (seconds > 0)
        pause.length = std::chrono::seconds(seconds);
    apply_command(std::move(result), action::pause, pause);
}

void ManagerObject::Resume(sdbus::Result<>&& result) {
    apply_command(std::move(result), action::pause, core::Resume{});
}

void ManagerObject::SetOn(sdbus::Result<>&& result, bool on) {
    apply_command(std::move(result), action::switch_giving, core::Switch{on});
}

void ManagerObject::SetCaps(sdbus::Result<>&& result, CapsArgument caps) {
    const auto change = caps.reader.change();
    if (!change)
        return Reply<>(std::move(result)).fail(change.error());
    apply_command(std::move(result), action::set_limits, core::ChangeCaps{*change});
}

ManagerObject::HistoryRows ManagerObject::GetHistory(const WordArgument& resolution) {
    const auto wanted = read_resolution(resolution.text);
    if (!wanted)
        throw bus_error(wanted.error());  // becomes the reply
    HistoryRows rows;
    for (const wire::HistoryRow& row : context_.model.history(*wanted))
        rows.emplace_back(wire::history_row(row));
    return rows;
}

ManagerObject::Decisions ManagerObject::GetDecisions(const std::uint32_t& max) {
    Decisions rows;
    for (const wire::Decision& decision : context_.model.decisions(max))
        rows.emplace_back(wire::decision(decision));
    return rows;
}

ManagerObject::ListedDecisions ManagerObject::ListDecisions(const std::uint32_t& max) {
    ListedDecisions rows;
    for (const wire::Decision& one : context_.model.decisions(max))
        rows.emplace_back(one.first_us, one.last_us, one.times, one.kind, one.reason, one.reason_code,
                          variants_of(one.reason_values));
    return rows;
}

ManagerObject::SoftHeaps ManagerObject::GetSoftHeaps() {
    SoftHeaps rows;
    for (const wire::SoftHeap& heap : context_.model.soft_heaps())
        rows.emplace_back(wire::soft_heap(heap));
    return rows;
}

ManagerObject::SoftShares ManagerObject::GetSoftShares() {
    const wire::SoftShares shares = context_.model.soft_shares();
    std::vector<sdbus::Struct<std::uint32_t, std::uint32_t>> weights;
    for (const wire::SoftWeight& one : shares.weights)
        weights.emplace_back(wire::soft_weight(one));
    return {shares.max_bytes, std::move(weights)};
}

void ManagerObject::SetSoftCap(sdbus::Result<>&& result, std::uint64_t bytes) {
    core::CapSoft cap;
    if (bytes != wire::no_limit)
        cap.max_bytes = Bytes(bytes);
    apply_command(std::move(result), action::set_limits, cap);
}

void ManagerObject::SetSoftWeight(sdbus::Result<>&& result, std::uint32_t user, std::uint32_t weight) {
    if (weight == 0 || weight > core::max_soft_weight)
        return Reply<>(std::move(result)).fail(Error(EINVAL, "SetSoftWeight: a weight is 1 to 10000"));
    apply_command(std::move(result), action::set_limits, core::WeighSoft{user, weight});
}

ManagerObject::Listing ManagerObject::listing(uid_t user, bool see_all) const {
    Listing rows;
    for (const Contribution& one : known_) {
        const bool named = see_all || one.user == user;
        rows.emplace_back(path_of(one.id), named ? one.name : "", one.user, one.memory_bytes, one.state, one.weight,
                          one.far_bytes);
    }
    return rows;
}

void ManagerObject::ListContributions(sdbus::Result<Listing>&& result) {
    const Reply<Listing> reply(std::move(result));
    context_.access.identify(wire::compat::sender_of(getObject()), [this, reply](const tmm::Result<Caller>& caller) {
        if (!caller)
            return reply.fail(caller.error());
        // On most machines there is one user, and polkit need not be asked.
        if (belongs_to_all(known_, caller->user))
            return reply.give(listing(caller->user, true));
        context_.access.authorize(*caller, action::see_all, Dialogue::none,
                                  [this, reply, user = caller->user](const tmm::Result<void>& verdict) {
                                      reply.give(listing(user, verdict.has_value()));
                                  });
    });
}

void ManagerObject::RegisterContribution(sdbus::Result<sdbus::ObjectPath>&& result, NameArgument name) {
    const Reply<sdbus::ObjectPath> reply(std::move(result));
    if (const auto valid = check_name(name.text); !valid)
        return reply.fail(tmm::Error(valid.error()).with_context("RegisterContribution"));
    context_.access.check(wire::compat::sender_of(getObject()), action::register_contribution,
                          [reply, &context = context_, name = std::move(name.text)](const tmm::Result<Caller>& caller) {
                              if (!caller)
                                  return reply.fail(caller.error());
                              const auto id = context.model.register_contribution(caller->process, caller->user, name);
                              context.changed();
                              id ? reply.give(path_of(*id)) : reply.fail(id.error());
                          });
}

ManagerObject::Variants ManagerObject::ReasonValues() {
    return variants_of(now_.reason_values);
}

ManagerObject::Variants ManagerObject::Caps() {
    return write_caps(now_.caps);
}

std::vector<sdbus::ObjectPath> ManagerObject::Contributions() {
    std::vector<sdbus::ObjectPath> paths;
    for (const Contribution& contribution : known_)
        paths.push_back(path_of(contribution.id));
    return paths;
}

}  // namespace tmm::bus
