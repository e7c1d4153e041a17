// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/boinc_client.hpp"

#include <cerrno>
#include <chrono>
#include <memory>
#include <tuple>

#include "tmmd/ctl/bus_values.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::ctl {

namespace {

constexpr const char* service_name = "org.transparentmemory.TmmBoinc1";
constexpr const char* service_path = "/org/transparentmemory/TmmBoinc1";

// tmm-boinc answers within milliseconds; after this time it hangs.
constexpr auto adapter_timeout = std::chrono::seconds(10);

std::unique_ptr<sdbus::IProxy> proxy_of(sdbus::IConnection& connection, const char* name, const char* path) {
    return sdbus::createProxy(connection, wire::compat::ServiceName{name}, sdbus::ObjectPath{path});
}

bool runs(sdbus::IConnection& connection) {
    constexpr const char* bus = "org.freedesktop.DBus";
    bool has_owner = false;
    proxy_of(connection, bus, "/org/freedesktop/DBus")
        ->callMethod("NameHasOwner")
        .onInterface(bus)
        .withArguments(std::string(service_name))
        .storeResultsTo(has_owner);
    return has_owner;
}

// Asks systemd why tmm-boinc does not run.
std::string reason_of_absence(sdbus::IConnection& connection) {
    std::string state;
    try {
        proxy_of(connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1")
            ->callMethod("GetUnitFileState")
            .onInterface("org.freedesktop.systemd1.Manager")
            .withArguments(std::string("tmm-boinc.service"))
            .storeResultsTo(state);
    } catch (const sdbus::Error& error) {
        const std::string& name = error.getName();
        if (name.ends_with(".FileNotFound") || name.ends_with(".NoSuchUnit"))
            return "tmm-boinc is not installed: its package is tmm-boinc";
    }
    if (state == "disabled")
        return "tmm-boinc is switched off: 'systemctl start tmm-boinc-enable' lets BOINC use idle memory";
    return "tmm-boinc does not run: start it with 'systemctl start tmm-boinc'; 'journalctl -u tmm-boinc' says more";
}

BoincTask task_of(const PropertyMap& values) {
    BoincTask task;
    take(values, "project", task.project);
    take(values, "application", task.application);
    take(values, "name", task.name);
    take(values, "state", task.state);
    take(values, "progress", task.progress);
    take(values, "memory-bytes", task.memory_bytes);
    take(values, "swap-bytes", task.swap_bytes);
    take(values, "needed-bytes", task.needed_bytes);
    take(values, "outside", task.outside);
    return task;
}

Boinc boinc_of(const PropertyMap& properties) {
    Boinc boinc;
    take(properties, "Version", boinc.version);
    take(properties, "State", boinc.state);
    take(properties, "Message", boinc.message);
    take(properties, "ClientVersion", boinc.client_version);
    take(properties, "TasksOutside", boinc.tasks_outside);
    take(properties, "OtherClients", boinc.other_clients);
    std::vector<PropertyMap> tasks;
    take(properties, "Tasks", tasks);
    for (const PropertyMap& task : tasks)
        boinc.tasks.push_back(task_of(task));
    std::vector<sdbus::Struct<std::string, double, double>> days;
    take(properties, "Days", days);
    for (const auto& day : days)
        boinc.days.push_back({std::get<0>(day), std::get<1>(day), std::get<2>(day)});
    return boinc;
}

Error adapter_error(const sdbus::Error& error) {
    const std::string& name = error.getName();
    if (name.ends_with(".NoReply") || name.ends_with(".Timeout"))
        return {ETIMEDOUT, "tmm-boinc does not answer: 'journalctl -u tmm-boinc' may say why"};
    if (name.ends_with(".AccessDenied"))
        return {EPERM, "the bus does not let this user talk to tmm-boinc: " + error.getMessage()};
    return {EIO, "tmm-boinc: " + error.getMessage()};
}

}  // namespace

Result<Boinc> read_boinc() {
    std::unique_ptr<sdbus::IConnection> connection;
    try {
        connection = sdbus::createSystemBusConnection();
    } catch (const sdbus::Error& error) {
        return Error(ENOTCONN,
                     "the system bus cannot be reached (" + error.getMessage() + "): start it with 'systemctl start dbus'");
    }
    try {
        connection->setMethodCallTimeout(adapter_timeout);
        if (!runs(*connection))
            return Error(ENOTCONN, reason_of_absence(*connection));
        PropertyMap properties;
        proxy_of(*connection, service_name, service_path)
            ->callMethod("GetAll")
            .onInterface("org.freedesktop.DBus.Properties")
            .withArguments(std::string(service_name))
            .storeResultsTo(properties);
        return boinc_of(properties);
    } catch (const sdbus::Error& error) {
        return adapter_error(error);
    }
}

}  // namespace tmm::ctl
