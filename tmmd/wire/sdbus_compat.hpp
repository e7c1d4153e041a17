// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// One interface to sdbus-c++ 1.2 (Debian 12) and 2.x (Debian 13); no other source knows how they differ. Version 2 has its own
// types for names, hands errors over as optionals, and wants a second descriptor polled. Functions throw sdbus::Error as
// sdbus-c++ does. For the sources of bus/ and for ctl/bus_client.cpp only.
#pragma once

#include <linux/sockios.h>
#include <poll.h>
#include <sdbus-c++/sdbus-c++.h>
#include <sys/ioctl.h>
#include <systemd/sd-bus.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmm::wire::compat {

#if TMM_SDBUS_MAJOR >= 2

using AsyncError = std::optional<sdbus::Error>;
using ServiceName = sdbus::ServiceName;

inline sdbus::Error make_error(const std::string& name, const std::string& message) {
    return {sdbus::Error::Name{name}, message};
}

inline std::string sender_of(const sdbus::IObject& object) {
    const char* sender = object.getCurrentlyProcessedMessage().getSender();
    return sender ? sender : "";
}

inline void emit_changed(sdbus::IObject& object, const char* interface, const std::vector<std::string>& names) {
    std::vector<sdbus::PropertyName> properties;
    for (const std::string& name : names)
        properties.emplace_back(name);
    object.emitPropertiesChangedSignal(interface, properties);
}

inline bool process_one(sdbus::IConnection& connection) {
    return connection.processPendingEvent();
}

inline std::string peek_contents(const sdbus::Message& message) {
    const char* contents = message.peekType().second;
    return contents ? contents : "";
}

inline sdbus::Slot add_match(sdbus::IConnection& connection, const std::string& rule, std::function<void()> then) {
    return connection.addMatch(
        rule, [then = std::move(then)](const sdbus::Message& /*message*/) { then(); }, sdbus::return_slot);
}

inline void append_poll(const sdbus::IConnection& connection, std::vector<pollfd>& fds) {
    const auto data = connection.getEventLoopPollData();
    fds.push_back({data.fd, data.events, 0});
    fds.push_back({data.eventFd, POLLIN, 0});
}

inline sdbus::MethodCall make_call(sdbus::IProxy& proxy, const char* interface, const char* method) {
    return proxy.createMethodCall(sdbus::InterfaceName(interface), sdbus::MethodName(method));
}

#else

using AsyncError = const sdbus::Error*;
using ServiceName = std::string;

inline sdbus::Error make_error(const std::string& name, const std::string& message) {
    return {name, message};
}

inline std::string sender_of(const sdbus::IObject& object) {
    return object.getCurrentlyProcessedMessage()->getSender();
}

inline void emit_changed(sdbus::IObject& object, const char* interface, const std::vector<std::string>& names) {
    object.emitPropertiesChangedSignal(interface, names);
}

inline bool process_one(sdbus::IConnection& connection) {
    return connection.processPendingRequest();
}

inline std::string peek_contents(const sdbus::Message& message) {
    std::string type;
    std::string contents;
    message.peekType(type, contents);
    return contents;
}

inline sdbus::Slot add_match(sdbus::IConnection& connection, const std::string& rule, std::function<void()> then) {
    return connection.addMatch(rule, [then = std::move(then)](const sdbus::Message& /*message*/) { then(); });
}

inline void append_poll(const sdbus::IConnection& connection, std::vector<pollfd>& fds) {
    const auto data = connection.getEventLoopPollData();
    fds.push_back({data.fd, data.events, 0});
}

inline sdbus::MethodCall make_call(sdbus::IProxy& proxy, const char* interface, const char* method) {
    return proxy.createMethodCall(interface, method);
}

#endif

// Reads a string, of which it copies max_bytes at most: the sender chose the size.
inline std::string read_text(sdbus::Message& message, std::size_t max_bytes) {
    char* text = nullptr;  // in the message
    message >> text;
    return text ? std::string(text, ::strnlen(text, max_bytes)) : std::string();
}

// Returns whether messages wait in this process to be sent.
inline bool has_unsent(const sdbus::IConnection& connection) {
    return (connection.getEventLoopPollData().events & POLLOUT) != 0;
}

// Returns whether messages wait in this process, and the kernel takes none of them.
inline bool is_stuck(const sdbus::IConnection& connection) {
    pollfd file{connection.getEventLoopPollData().fd, POLLOUT, 0};
    return has_unsent(connection) && ::poll(&file, 1, 0) == 0;
}

// Returns the bytes in the kernel's memory, with its overhead, that the bus has not taken yet.
inline std::size_t unsent_bytes(const sdbus::IConnection& connection) {
    int bytes = 0;
    return ::ioctl(connection.getEventLoopPollData().fd, SIOCOUTQ, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

// As append_poll(), until messages can be sent.
inline void append_poll_sent(const sdbus::IConnection& connection, std::vector<pollfd>& fds) {
    fds.push_back({connection.getEventLoopPollData().fd, POLLOUT, 0});
}

// Returns the connection of sd-bus below that of sdbus-c++, which hands out none, but keeps one in each message.
inline sd_bus* sd_bus_of(sdbus::IConnection& connection) {
    struct Opened : sdbus::Message {
        static sd_bus_message* of(const sdbus::Message& message) {
            return static_cast<sd_bus_message*>(message.*(&Opened::msg_));
        }
    };
    const auto proxy = sdbus::createProxy(connection, ServiceName("org.freedesktop.DBus"), sdbus::ObjectPath("/"));
    return ::sd_bus_message_get_bus(Opened::of(make_call(*proxy, "org.freedesktop.DBus", "GetId")));
}

// Returns the time after which sd-bus must be called again at the latest; none: at any time.
inline std::optional<std::chrono::milliseconds> poll_timeout(const sdbus::IConnection& connection) {
    const int timeout_ms = connection.getEventLoopPollData().getPollTimeout();
    if (timeout_ms < 0)
        return std::nullopt;
    return std::chrono::milliseconds(timeout_ms);
}

}  // namespace tmm::wire::compat
