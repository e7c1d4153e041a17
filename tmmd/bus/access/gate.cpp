// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/access/gate.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tmm::bus {

namespace {

constexpr const char* bus_driver = "org.freedesktop.DBus";
constexpr int unanswered = 1;
constexpr int passed = 0;

bool is_pause(const std::string& member) {
    return member == "Pause" || member == "Resume";
}

}  // namespace

Gate::Gate(sdbus::IConnection& connection, Callers& callers, Owners& owners)
    : connection_(connection),
      callers_(callers),
      owners_(owners),
      bus_(sdbus::createProxy(connection, wire::compat::ServiceName(bus_driver), sdbus::ObjectPath("/org/freedesktop/DBus"))) {
    const int r = ::sd_bus_add_filter(wire::compat::sd_bus_of(connection), &filter_, on_message, this);
    if (r < 0)
        throw sdbus::createError(-r, "no filter of messages");
}

Gate::~Gate() {
    ::sd_bus_slot_unref(filter_);
}

int Gate::on_message(sd_bus_message* message, void* data, sd_bus_error* /*error*/) {
    const char* sender = ::sd_bus_message_get_sender(message);
    if (sender == nullptr || ::sd_bus_message_is_method_call(message, nullptr, nullptr) <= 0)
        return passed;
    auto& gate = *static_cast<Gate*>(data);
    try {
        gate.see(sender);
        if (::sd_bus_message_get_expect_reply(message) <= 0)
            return passed;
        const char* member = ::sd_bus_message_get_member(message);
        return gate.admit(sender, member ? member : "") ? passed : unanswered;
    } catch (const sdbus::Error&) {
        return unanswered;  // the bus is lost: service.cpp finds that when it reads
    }
}

bool Gate::process_one() {
    if (wire::compat::is_stuck(connection_))
        return false;
    admitted_.reset();
    const bool done = wire::compat::process_one(connection_);
    count_answer();
    return done;
}

void Gate::see(const std::string& sender) {
    if (callers_.user_of(sender) || !unknown_.try_emplace(sender).second)
        return;
    callers_.identify(sender, [this, sender](const Result<Caller>& caller) {
        const auto known = unknown_.extract(sender);
        if (!caller)
            return;
        owners_.see(*caller);
        if (caller->user == 0)
            return;
        shares_.take({caller->user, sender}, known.mapped().bytes);
        ask(shares_.ask(caller->user));
    });
}

bool Gate::admit(const std::string& sender, const std::string& member) {
    const auto user = callers_.user_of(sender);
    if (user && *user == 0)
        return true;
    if (!user && !admit_unknown(sender, member))
        return false;
    if (user && !may_have_answer(*user, sender, member)) {
        unanswered_.insert(*user);
        return false;
    }
    admitted_ = Admitted{sender, user, wire::compat::unsent_bytes(connection_)};
    return true;
}

// A deaf program of an owner's keeps no other program of that owner's from a pause.
bool Gate::may_have_answer(uid_t user, const std::string& sender, const std::string& member) const {
    return shares_.has_left(user) ||
           (is_pause(member) && owners_.may_pause(user) && shares_.unread({user, sender}) < max_calls_beside * min_bytes);
}

// Pause and Resume are answered when the user is known. So new connections of others keep nobody from a pause.
bool Gate::admit_unknown(const std::string& sender, const std::string& member) {
    const auto unknown = unknown_.find(sender);
    return unknown != unknown_.end() && ++unknown->second.calls <= max_calls_unknown &&
           (is_pause(member) || wire::compat::unsent_bytes(connection_) < max_bytes_per_user);
}

void Gate::count_answer() {
    if (!admitted_)
        return;
    const std::size_t now = wire::compat::unsent_bytes(connection_);
    const std::size_t bytes = std::max(now - std::min(now, admitted_->unsent_bytes), min_bytes);
    if (admitted_->user) {
        shares_.take({*admitted_->user, admitted_->sender}, bytes);
        return ask(shares_.ask(*admitted_->user));
    }
    if (const auto found = unknown_.find(admitted_->sender); found != unknown_.end())
        found->second.bytes += bytes;
}

void Gate::update() {
    ask(shares_.ask_again());
}

// The question takes the way of the answers, so the bus has these when it replies.
void Gate::ask(const std::vector<Shares::Reader>& readers) {
    using Statistics = std::map<std::string, sdbus::Variant>;
    for (const Shares::Reader& reader : readers) {
        bus_->callMethodAsync("GetConnectionStats")
            .onInterface("org.freedesktop.DBus.Debug.Stats")
            .withArguments(reader.second)
            .uponReplyInvoke([this, reader](wire::compat::AsyncError error, const Statistics& statistics) {
                // An error: it has left, or this bus has no statistics.
                const auto found = statistics.find("OutgoingBytes");
                const bool has_value = !error && found != statistics.end() && found->second.containsValueOfType<std::uint32_t>();
                shares_.learn(reader, has_value ? found->second.get<std::uint32_t>() : 0);
                ask(shares_.ask(reader.first));
            });
    }
}

}  // namespace tmm::bus
