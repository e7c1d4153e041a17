// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/bus_object.hpp"

#include <string>
#include <string_view>

namespace tmm::boinc {

namespace {

constexpr const char* name = "org.transparentmemory.TmmBoinc1";
constexpr const char* own_path = "/org/transparentmemory/TmmBoinc1";
// Answers, announcements among them. One that names hundreds of tasks takes some 100 KiB.
constexpr std::uint64_t max_queued = 16;

int append_entry(sd_bus_message* reply, const char* key, const std::string& value) {
    return sd_bus_message_append(reply, "{sv}", key, "s", value.c_str());
}
int append_entry(sd_bus_message* reply, const char* key, double value) {
    return sd_bus_message_append(reply, "{sv}", key, "d", value);
}
int append_entry(sd_bus_message* reply, const char* key, std::uint64_t value) {
    return sd_bus_message_append(reply, "{sv}", key, "t", value);
}
int append_entry(sd_bus_message* reply, const char* key, bool value) {
    return sd_bus_message_append(reply, "{sv}", key, "b", value ? 1 : 0);
}

int append_task(sd_bus_message* reply, const ShownTask& task) {
    int r = sd_bus_message_open_container(reply, 'a', "{sv}");
    const auto entry = [&](const char* key, const auto& value) { r = r < 0 ? r : append_entry(reply, key, value); };
    entry("project", task.project);
    entry("application", task.application);
    entry("name", task.name);
    entry("state", task.state);
    entry("progress", task.progress);
    entry("memory-bytes", task.memory_bytes);
    entry("swap-bytes", task.swap_bytes);
    entry("needed-bytes", task.needed_bytes);
    entry("outside", task.is_outside);
    return r < 0 ? r : sd_bus_message_close_container(reply);
}

}  // namespace

const sd_bus_vtable BusObject::vtable[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Version", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("State", "s", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("Message", "s", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("ClientVersion", "s", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("TasksOutside", "u", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("OtherClients", "as", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("Tasks", "aa{sv}", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("Days", "a(sdd)", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END,
};

Result<void> BusObject::attach(sd_bus* bus) {
    const char* address = nullptr;
    int r = sd_bus_get_address(bus, &address);
    const auto step = [&](auto&& action) { r = r < 0 ? r : action(); };
    step([&] { return sd_bus_new(&bus_); });
    step([&] { return sd_bus_set_address(bus_, address); });
    step([&] { return sd_bus_set_bus_client(bus_, 1); });
    step([&] { return sd_bus_start(bus_); });
    step([&] { return sd_bus_attach_event(bus_, sd_bus_get_event(bus), SD_EVENT_PRIORITY_NORMAL); });
    step([&] { return sd_bus_add_filter(bus_, &filter_, on_message, this); });
    step([&] { return sd_bus_add_object_vtable(bus_, &object_, own_path, name, vtable, this); });
    if (r < 0) {
        detach();
        return Error::from_errno(-r, "the bus");
    }
    if (is_shown_)
        ask_for_name();
    return {};
}

void BusObject::detach() {
    name_ = sd_bus_slot_unref(name_);
    object_ = sd_bus_slot_unref(object_);
    filter_ = sd_bus_slot_unref(filter_);
    // Without a flush, which would wait for those who read nothing.
    bus_ = sd_bus_close_unref(bus_);
}

int BusObject::on_message(sd_bus_message* message, void* data, sd_bus_error* /*error*/) {
    std::uint64_t queued = 0;
    return sd_bus_message_is_method_call(message, nullptr, nullptr) > 0 &&
                   sd_bus_get_n_queued_write(static_cast<BusObject*>(data)->bus_, &queued) >= 0 && queued >= max_queued
               ? 1
               : 0;
}

void BusObject::ask_for_name() {
    // Only the one service may have it. Another one of the same user, started by hand, works all the same.
    const int r = sd_bus_request_name_async(bus_, &name_, name, 0, on_name, this);
    if (r < 0)
        problems_.warn(Error::from_errno(-r, std::string("the name ") + name).message(), "; no tasks are shown");
}

int BusObject::on_name(sd_bus_message* reply, void* data, sd_bus_error* /*error*/) {
    auto& self = *static_cast<BusObject*>(data);
    const sd_bus_error* error = sd_bus_message_get_error(reply);
    std::uint32_t answer = 0;
    constexpr std::uint32_t primary_owner = 1;
    if (error != nullptr)
        self.problems_.warn(std::string("the bus refuses the name ") + name + ": " + error->message, "; no tasks are shown");
    else if (sd_bus_message_read(reply, "u", &answer) < 0 || answer != primary_owner)
        self.problems_.warn(std::string("another program has the name ") + name, "; no tasks are shown");
    else
        self.problems_.solve();
    return 0;
}

void BusObject::show(const Shown& shown, const std::vector<DayOfWork>& days, const std::vector<const char*>& changed) {
    shown_ = shown;
    days_ = days;
    if (bus_ == nullptr) {
        is_shown_ = true;
        return;
    }
    if (!is_shown_) {
        // Who sees the name finds the values.
        is_shown_ = true;
        ask_for_name();
        return;
    }
    if (changed.empty())
        return;
    std::vector<char*> names;
    names.reserve(changed.size() + 1);
    for (const char* one : changed)
        names.push_back(const_cast<char*>(one));  // the library's type; it only reads them
    names.push_back(nullptr);
    // A lost connection is found by the next question to tmmd.
    (void)sd_bus_emit_properties_changed_strv(bus_, own_path, name, names.data());
}

int BusObject::append_tasks(sd_bus_message* reply) const {
    int r = sd_bus_message_open_container(reply, 'a', "a{sv}");
    for (const ShownTask& task : shown_.tasks)
        r = r < 0 ? r : append_task(reply, task);
    return r < 0 ? r : sd_bus_message_close_container(reply);
}

int BusObject::append_other_clients(sd_bus_message* reply) const {
    int r = sd_bus_message_open_container(reply, 'a', "s");
    for (const std::string& sentence : shown_.other_clients)
        r = r < 0 ? r : sd_bus_message_append(reply, "s", sentence.c_str());
    return r < 0 ? r : sd_bus_message_close_container(reply);
}

int BusObject::append_days(sd_bus_message* reply) const {
    int r = sd_bus_message_open_container(reply, 'a', "(sdd)");
    for (const DayOfWork& day : days_)
        r = r < 0 ? r : sd_bus_message_append(reply, "(sdd)", day.date.c_str(), day.cpu_seconds, day.byte_seconds);
    return r < 0 ? r : sd_bus_message_close_container(reply);
}

int BusObject::get(sd_bus* /*bus*/, const char* /*path*/, const char* /*interface*/, const char* property, sd_bus_message* reply,
                   void* data, sd_bus_error* /*error*/) {
    const auto& self = *static_cast<const BusObject*>(data);
    const std::string_view wanted = property;
    const auto text = [&](const std::string& value) { return sd_bus_message_append(reply, "s", value.c_str()); };
    if (wanted == "Version")
        return text(TMM_VERSION);
    if (wanted == "State")
        return text(self.shown_.state);
    if (wanted == "Message")
        return text(self.shown_.message);
    if (wanted == "ClientVersion")
        return text(self.shown_.client_version);
    if (wanted == "TasksOutside")
        return sd_bus_message_append(reply, "u", self.shown_.tasks_outside);
    if (wanted == "OtherClients")
        return self.append_other_clients(reply);
    return wanted == "Tasks" ? self.append_tasks(reply) : self.append_days(reply);
}

}  // namespace tmm::boinc
