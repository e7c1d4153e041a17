// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/access/callers.hpp"

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

const Caller* Callers::known(const std::string& sender) {
    const auto found = place_.find(sender);
    if (found == place_.end())
        return nullptr;
    known_.splice(known_.begin(), known_, found->second);
    return &known_.front();
}

std::optional<uid_t> Callers::user_of(const std::string& sender) {
    const Caller* caller = known(sender);
    return caller ? std::optional(caller->user) : std::nullopt;
}

void Callers::remember(const Caller& caller) {
    known_.push_front(caller);
    place_[caller.sender] = known_.begin();
    if (known_.size() <= max_known)
        return;
    place_.erase(known_.back().sender);
    known_.pop_back();
}

void Callers::identify(const std::string& sender, Then then) {
    if (const Caller* caller = known(sender))
        return then(Caller(*caller));
    const auto asked = asked_.find(sender);
    const bool is_first = asked == asked_.end();
    if (is_first ? asked_.size() >= max_asked : asked->second.size() > max_waiting_per_sender || waiting_ >= max_waiting)
        return then(Error(EUSERS, "too many calls at once; wait for answers first"));
    if (!is_first) {
        ++waiting_;
        return asked->second.push_back(std::move(then));
    }
    asked_[sender].push_back(std::move(then));
    ask(sender);
}

void Callers::ask(const std::string& sender) {
    bus_->callMethodAsync("GetConnectionCredentials")
        .onInterface("org.freedesktop.DBus")
        .withArguments(sender)
        .uponReplyInvoke([this, sender](wire::compat::AsyncError error, const Credentials& credentials) {
            answer(sender, make_caller(sender, error, credentials));
        });
}

void Callers::answer(const std::string& sender, const Result<Caller>& caller) {
    if (caller)
        remember(*caller);
    const auto asked = asked_.extract(sender);
    waiting_ -= asked.mapped().size() - 1;
    for (const Then& then : asked.mapped())
        then(caller);
}

}  // namespace tmm::bus
