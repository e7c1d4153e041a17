// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/callers.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

namespace tmm::bus {

namespace {

using Credentials = std::map<std::string, sdbus::Variant>;

std::optional<std::uint32_t> number(const Credentials& credentials, const std::string& key) {
    const auto found = credentials.find(key);
    if (found == credentials.end() || !found->second.containsValueOfType<std::uint32_t>())
        return std::nullopt;
    return found->second.get<std::uint32_t>();
}

Result<Caller> make_caller(const std::string& sender, const wire::compat::AsyncError& error, const Credentials& credentials) {
    const auto user = number(credentials, "UnixUserID");
    if (error || !user)
        return Error(EPERM, "the bus does not tell who is calling");
    return Caller{sender, *user, static_cast<pid_t>(number(credentials, "ProcessID").value_or(0))};
}

}  // namespace

Callers::Callers(sdbus::IConnection& connection)
    : bus_(sdbus::createProxy(connection, wire::compat::ServiceName("org.freedesktop.DBus"),
                              sdbus::ObjectPath("/org/freedesktop/DBus"))) {}

std::optional<Caller> Callers::known(const std::string& sender) {
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const Caller& caller) { return caller.sender == sender; });
    if (found == known_.end())
        return std::nullopt;
    known_.splice(known_.begin(), known_, found);
    return known_.front();
}

void Callers::remember(const Caller& caller) {
    if (known(caller.sender))
        return;  // the sender called twice before the first answer came
    known_.push_front(caller);
    if (known_.size() > max_known)
        known_.pop_back();
}

void Callers::identify(const std::string& sender, Then then) {
    if (auto caller = known(sender))
        return then(*std::move(caller));
    auto ticket = questions_.take(sender);
    if (!ticket)
        return then(Error(EUSERS, "too many calls at once; wait for answers first"));
    bus_->callMethodAsync("GetConnectionCredentials")
        .onInterface("org.freedesktop.DBus")
        .withArguments(sender)
        .uponReplyInvoke(
            [this, sender, ticket, then = std::move(then)](wire::compat::AsyncError error, const Credentials& credentials) {
                auto caller = make_caller(sender, error, credentials);
                if (caller)
                    remember(*caller);
                then(std::move(caller));
            });
}

}  // namespace tmm::bus
