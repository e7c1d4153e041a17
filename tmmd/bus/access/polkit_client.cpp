// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/access/polkit_client.hpp"

#include <cerrno>
#include <map>
#include <utility>

namespace tmm::bus {

namespace {

constexpr const char* authority_interface = "org.freedesktop.PolicyKit1.Authority";
constexpr std::uint32_t allow_user_interaction = 1;

// Is authorized; is a challenge (a dialogue would help); details.
using Verdict = sdbus::Struct<bool, bool, std::map<std::string, std::string>>;

bool is_timeout(const sdbus::Error& error) {
    const std::string& name = error.getName();
    return name == "org.freedesktop.DBus.Error.NoReply" || name == "org.freedesktop.DBus.Error.Timeout";
}

Error denial(const std::string& action, const std::string& why) {
    return {EPERM, action + " is not allowed: " + why};
}

Error no_verdict(const std::string& action, const sdbus::Error& error, bool with_dialogue) {
    const std::string& name = error.getName();
    if (is_timeout(error))
        return denial(action, with_dialogue ? "nobody answered polkit's dialogue in time" : "polkit does not answer");
    if (name == "org.freedesktop.DBus.Error.ServiceUnknown" || name == "org.freedesktop.DBus.Error.NameHasNoOwner")
        return denial(action, "polkit is not running, and without it only root may");
    return denial(action, "polkit says: " + error.getMessage());
}

}  // namespace

PolkitClient::PolkitClient(sdbus::IConnection& connection)
    : authority_(sdbus::createProxy(connection, wire::compat::ServiceName("org.freedesktop.PolicyKit1"),
                                    sdbus::ObjectPath("/org/freedesktop/PolicyKit1/Authority"))) {}

void PolkitClient::ask(const std::string& sender, const std::string& action, Dialogue dialogue, Then then) {
    const bool with_dialogue = dialogue == Dialogue::allowed;
    const sdbus::Struct<std::string, std::map<std::string, sdbus::Variant>> subject{
        "system-bus-name", std::map<std::string, sdbus::Variant>{{"name", sdbus::Variant(sender)}}};
    const std::string cancellation = with_dialogue ? "tmmd-" + std::to_string(++last_cancellation_) : "";
    authority_->callMethodAsync("CheckAuthorization")
        .onInterface(authority_interface)
        .withTimeout(with_dialogue ? dialogue_time : answer_time)
        .withArguments(subject, action, std::map<std::string, std::string>(), with_dialogue ? allow_user_interaction : 0U,
                       cancellation)
        .uponReplyInvoke([=, this, then = std::move(then)](wire::compat::AsyncError error, const Verdict& verdict) {
            if (error) {
                const bool timeout = is_timeout(*error);
                if (with_dialogue && timeout)
                    cancel(cancellation);
                return then({no_verdict(action, *error, with_dialogue), false, timeout});
            }
            const bool authorized = std::get<0>(verdict);
            const bool challenge = std::get<1>(verdict);
            if (authorized)
                return then({});
            then({denial(action, challenge ? "it takes an administrator's password, and there is nobody to ask for it"
                                           : "polkit denies it"),
                  challenge, false});
        });
}

// Closes an unanswered dialogue.
void PolkitClient::cancel(const std::string& cancellation) {
    authority_->callMethodAsync("CancelCheckAuthorization")
        .onInterface(authority_interface)
        .withArguments(cancellation)
        .uponReplyInvoke([](wire::compat::AsyncError) {});
}

}  // namespace tmm::bus
