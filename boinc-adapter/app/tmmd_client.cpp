// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/tmmd_client.hpp"

#include <cerrno>
#include <string_view>

#include "tmmd/wire/members.hpp"

namespace tmm::boinc {

namespace {

constexpr const char* service = "org.transparentmemory.Tmm1";
constexpr const char* daemon_path = "/org/transparentmemory/Tmm1";
constexpr const char* properties = "org.freedesktop.DBus.Properties";
constexpr std::uint64_t timeout_us = 10'000'000;

int read_value(sd_bus_message* reply, std::uint64_t& value) {
    return sd_bus_message_read(reply, "v", "t", &value);
}
int read_value(sd_bus_message* reply, std::string& value) {
    const char* text = nullptr;
    const int r = sd_bus_message_read(reply, "v", "s", &text);
    if (r >= 0)
        value = text;
    return r;
}
constexpr std::string_view type_of(const std::uint64_t& /*value*/) {
    return "t";
}
constexpr std::string_view type_of(const std::string& /*value*/) {
    return "s";
}

// Reads one entry of the dictionary, or skips it: a tmmd of another version may lack a property, or give it another type.
int read_entry(sd_bus_message* reply, wire::Status& status) {
    const char* key = nullptr;
    const char* type = nullptr;
    int r = sd_bus_message_read(reply, "s", &key);
    if (r >= 0)
        r = sd_bus_message_peek_type(reply, nullptr, &type);
    if (r < 0)
        return r;
    bool is_read = false;
    wire::for_each_property(status, [&](std::string_view member, auto& value) {
        if constexpr (requires { read_value(reply, value); }) {
            if (!is_read && member == key && type_of(value) == type) {
                r = read_value(reply, value);
                is_read = true;
            }
        }
    });
    return is_read ? r : sd_bus_message_skip(reply, "v");
}

Result<TmmdStatus> read_status(sd_bus_message* reply) {
    wire::Status status;
    status.transparent_limit_bytes = 0;  // a tmmd that tells none gives nothing
    int r = sd_bus_message_enter_container(reply, 'a', "{sv}");
    while (r >= 0 && (r = sd_bus_message_enter_container(reply, 'e', "sv")) > 0) {
        r = read_entry(reply, status);
        if (r >= 0)
            r = sd_bus_message_exit_container(reply);
    }
    if (r < 0)
        return Error::from_errno(-r, "tmmd's properties");
    return TmmdStatus{true,
                      status.state,
                      status.transparent_limit_bytes,
                      status.transparent_bytes,
                      status.reason_code,
                      status.free_bytes,
                      status.paused_until_us};
}

}  // namespace

Result<void> TmmdClient::connect() {
    int r = sd_bus_new(&bus_);
    const auto step = [&](auto&& action) { r = r < 0 ? r : action(); };
    if (address_.empty()) {
        sd_bus_unref(bus_);
        bus_ = nullptr;
        r = sd_bus_open_system(&bus_);
    } else {
        step([&] { return sd_bus_set_address(bus_, address_.c_str()); });
        step([&] { return sd_bus_set_bus_client(bus_, 1); });
        step([&] { return sd_bus_start(bus_); });
    }
    step([&] { return sd_bus_attach_event(bus_, event_, SD_EVENT_PRIORITY_NORMAL); });
    step([&] { return listen(); });
    step([&] {
        return sd_bus_add_match_async(bus_, nullptr,
                                      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                                      "member='NameOwnerChanged',arg0='org.transparentmemory.Tmm1'",
                                      on_signal, nullptr, this);
    });
    auto done = r < 0 ? Result<void>(Error::from_errno(-r, "the bus")) : Result<void>();
    if (done && object_ != nullptr)
        done = object_->attach(bus_);
    if (!done)
        disconnect();
    return done;
}

int TmmdClient::listen() {
    if (!follows_ || changes_ != nullptr || bus_ == nullptr)
        return 0;
    return sd_bus_match_signal_async(bus_, &changes_, service, daemon_path, properties, "PropertiesChanged", on_signal, nullptr,
                                     this);
}

void TmmdClient::follow(bool follows) {
    follows_ = follows;
    if (!follows)
        changes_ = sd_bus_slot_unref(changes_);
    else if (listen() < 0)
        changes_ = nullptr;  // the connection is lost; the next one listens
}

void TmmdClient::disconnect() {
    call_ = sd_bus_slot_unref(call_);
    changes_ = sd_bus_slot_unref(changes_);
    if (object_ != nullptr)
        object_->detach();
    // Without a flush, which would wait for a hung bus.
    bus_ = sd_bus_close_unref(bus_);
    status_ = {};
}

Result<void> TmmdClient::ask() {
    if (bus_ != nullptr && sd_bus_is_open(bus_) <= 0)
        disconnect();
    if (bus_ == nullptr) {
        auto connected = connect();
        if (!connected)
            return connected;
    }
    if (call_ != nullptr)
        return {};
    sd_bus_message* call = nullptr;
    int r = sd_bus_message_new_method_call(bus_, &call, service, daemon_path, properties, "GetAll");
    if (r >= 0)
        r = sd_bus_message_set_auto_start(call, 0);  // an owner who has stopped tmmd wants it stopped
    if (r >= 0)
        r = sd_bus_message_append(call, "s", service);
    if (r >= 0)
        r = sd_bus_call_async(bus_, &call_, call, on_reply, this, timeout_us);
    sd_bus_message_unref(call);
    if (r < 0)
        return Error::from_errno(-r, "the bus");
    return {};
}

void TmmdClient::take(sd_bus_message* reply) {
    call_ = sd_bus_slot_unref(call_);
    const auto status = sd_bus_message_get_error(reply) == nullptr ? read_status(reply) : Result<TmmdStatus>(TmmdStatus());
    status_ = status ? *status : TmmdStatus();
    changed_();
}

int TmmdClient::on_reply(sd_bus_message* reply, void* data, sd_bus_error* /*error*/) {
    static_cast<TmmdClient*>(data)->take(reply);
    return 0;
}

int TmmdClient::on_signal(sd_bus_message* /*signal*/, void* data, sd_bus_error* /*error*/) {
    // If this fails, the next turn asks again.
    (void)static_cast<TmmdClient*>(data)->ask();
    return 0;
}

}  // namespace tmm::boinc
