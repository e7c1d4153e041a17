// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/contribution_object.hpp"

#include <cerrno>
#include <utility>

#include "tmmd/bus/changes.hpp"

namespace tmm::bus {

namespace {

constexpr const char* contribution_interface = org::transparentmemory::Tmm1::Contribution1_adaptor::INTERFACE_NAME;
constexpr std::uint32_t max_weight = 10000;

Result<std::map<std::string, sdbus::Variant>> details_of(Model& model, ContributionId id, const std::string& name) {
    const auto found = model.pids(id);
    if (!found)
        return found.error();
    return std::map<std::string, sdbus::Variant>{{wire::key::name, sdbus::Variant(name)},
                                                 {wire::key::pids, sdbus::Variant(found->pids)},
                                                 {wire::key::pids_truncated, sdbus::Variant(found->truncated)}};
}

}  // namespace

sdbus::ObjectPath path_of(ContributionId id) {
    return sdbus::ObjectPath("/org/transparentmemory/Tmm1/contributions/" + std::to_string(id));
}

ContributionObject::ContributionObject(const Context& context, const Contribution& contribution)
    : AdaptorInterfaces(context.connection, path_of(contribution.id)),
      context_(context),
      now_(contribution),
      published_(contribution) {
    registerAdaptor();
}

bool ContributionObject::publish(std::uint64_t total_bytes) {
    const auto names = take_changes(published_, now_, total_bytes);
    if (!names.empty())
        wire::compat::emit_changed(getObject(), contribution_interface, names);
    return !names.empty();
}

void ContributionObject::GetDetails(sdbus::Result<Details>&& result) {
    const Reply<Details> reply(std::move(result));
    const Context& context = context_;
    const auto give = [reply, &context, id = now_.id, name = now_.name] {
        const auto details = details_of(context.model, id, name);
        details ? reply.give(*details) : reply.fail(details.error());
    };
    context.access.identify(wire::compat::sender_of(getObject()), [reply, give, &context,
                                                                   owner = now_.user](const Result<Caller>& caller) {
        if (!caller)
            return reply.fail(caller.error());
        if (caller->user == owner)
            return give();
        context.access.authorize(*caller, action::see_all, Dialogue::allowed, [reply, give](const tmm::Result<void>& verdict) {
            verdict ? give() : reply.fail(verdict.error());
        });
    });
}

void ContributionObject::steer(sdbus::Result<>&& result, Work work) {
    const Reply<> reply(std::move(result));
    const Context& context = context_;
    const auto act = [reply, &context, id = now_.id, work = std::move(work)] {
        reply.give_result(work(context.model, id));
        context.changed();
    };
    context.access.identify(
        wire::compat::sender_of(getObject()), [reply, act, &context, owner = now_.user](const Result<Caller>& caller) {
            if (!caller)
                return reply.fail(caller.error());
            const char* wanted = caller->user == owner ? action::steer_own : action::steer_all;
            context.access.authorize(*caller, wanted, Dialogue::allowed, [reply, act](const tmm::Result<void>& verdict) {
                verdict ? act() : reply.fail(verdict.error());
            });
        });
}

void ContributionObject::Pause(sdbus::Result<>&& result) {
    steer(std::move(result), [](Model& model, ContributionId id) { return model.steer(id, Steering::pause); });
}

void ContributionObject::Resume(sdbus::Result<>&& result) {
    steer(std::move(result), [](Model& model, ContributionId id) { return model.steer(id, Steering::resume); });
}

void ContributionObject::Stop(sdbus::Result<>&& result) {
    steer(std::move(result), [](Model& model, ContributionId id) { return model.steer(id, Steering::stop); });
}

void ContributionObject::SetWeight(sdbus::Result<>&& result, std::uint32_t weight) {
    if (weight < 1 || weight > max_weight)
        return Reply<>(std::move(result)).fail(Error(EINVAL, "SetWeight: the weight must be from 1 to 10000"));
    steer(std::move(result), [weight](Model& model, ContributionId id) { return model.set_weight(id, weight); });
}

}  // namespace tmm::bus
