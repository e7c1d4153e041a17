// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/logind_client.hpp"

#include <cstdint>
#include <tuple>
#include <utility>

#include "base/bounds/in_turn.hpp"

namespace tmm::bus {

namespace {

constexpr const char* logind = "org.freedesktop.login1";
constexpr const char* manager_path = "/org/freedesktop/login1";
constexpr const char* logind_manager = "org.freedesktop.login1.Manager";
constexpr const char* logind_session = "org.freedesktop.login1.Session";

// Identifier, user, the user's name, seat, object.
using ListedSession = sdbus::Struct<std::string, std::uint32_t, std::string, std::string, sdbus::ObjectPath>;

template <typename Type>
Type value_of(const std::map<std::string, sdbus::Variant>& properties, const char* name) {
    const auto found = properties.find(name);
    return found != properties.end() && found->second.containsValueOfType<Type>() ? found->second.get<Type>() : Type();
}

// Greeters have sessions, too. The idle hint of a session on a terminal is the terminal's access time, of which a counter tells.
bool is_desktop(const std::map<std::string, sdbus::Variant>& properties) {
    const auto type = value_of<std::string>(properties, "Type");
    return value_of<std::string>(properties, "Class") == "user" && value_of<std::string>(properties, "State") != "closing" &&
           (type == "wayland" || type == "x11" || type == "mir");
}

}  // namespace

LogindClient::LogindClient(sdbus::IConnection& connection, Then then)
    : connection_(connection),
      then_(std::move(then)),
      manager_(sdbus::createProxy(connection, wire::compat::ServiceName(logind), sdbus::ObjectPath(manager_path))) {
    const std::string from = std::string("type='signal',sender='") + logind + "',";
    const auto note = [this] { changed_ = true; };
    for (const std::string& which :
         {std::string("path='") + manager_path + "',interface='" + logind_manager + "'",
          std::string("path_namespace='") + manager_path + "/session',interface='org.freedesktop.DBus.Properties'"})
        signals_.push_back(wire::compat::add_match(connection, from + which, note));
}

void LogindClient::update(core::AwakeTime now) {
    now_ = now;
    if (!changed_ || open_questions_ > 0 || now < retry_.due() || !pace_.may(now))
        return;
    pace_.done(now);
    changed_ = false;
    asked_.clear();
    sessions_.clear();
    open_questions_ = 1;
    manager_->callMethodAsync("ListSessions")
        .onInterface(logind_manager)
        .withTimeout(answer_time)
        .uponReplyInvoke([this](wire::compat::AsyncError error, const std::vector<ListedSession>& listed) {
            if (error) {
                // Those that were known before still count: they have not ended.
                changed_ = true;
                open_questions_ = 0;
                retry_.failed(now_);
                return;
            }
            retry_.succeeded();
            const auto user_of = [](const ListedSession& one) { return std::get<1>(one); };
            for (const ListedSession& one : in_turn(listed, user_of, max_sessions))
                ask_for(std::get<4>(one));
            answered();
        });
}

void LogindClient::ask_for(const sdbus::ObjectPath& path) {
    asked_.push_back(sdbus::createProxy(connection_, wire::compat::ServiceName(logind), path));
    ++open_questions_;
    asked_.back()
        ->callMethodAsync("GetAll")
        .onInterface("org.freedesktop.DBus.Properties")
        .withTimeout(answer_time)
        .withArguments(std::string(logind_session))
        .uponReplyInvoke([this, path = std::string(path)](wire::compat::AsyncError error, const Properties& properties) {
            // Error: the session has ended meanwhile.
            if (!error && is_desktop(properties))
                sessions_[path] = {.idle = value_of<bool>(properties, "IdleHint"),
                                   .locked = value_of<bool>(properties, "LockedHint")};
            answered();
        });
}

void LogindClient::answered() {
    if (--open_questions_ == 0)
        then_(sessions_);
}

}  // namespace tmm::bus
