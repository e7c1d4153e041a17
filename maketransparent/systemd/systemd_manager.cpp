// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/systemd/systemd_manager.hpp"

#include <cerrno>
#include <cstring>

#include "maketransparent/systemd/sd_bus_handles.hpp"

namespace tmm {

namespace {

constexpr const char* manager_name = "org.freedesktop.systemd1";
constexpr const char* manager_path = "/org/freedesktop/systemd1";
constexpr const char* manager_interface = "org.freedesktop.systemd1.Manager";

// A scope starts within milliseconds; a manager that takes longer hangs.
constexpr std::uint64_t job_timeout_us = 30'000'000;

Error bus_failure(int negative_errno, const sd_bus_error& error, const std::string& context) {
    if (!error.message)
        return Error::from_errno(-negative_errno, context);
    int code = -negative_errno;
    if (std::strcmp(error.name, "org.freedesktop.systemd1.UnitExists") == 0)
        code = EEXIST;
    else if (std::strcmp(error.name, "org.freedesktop.systemd1.NoSuchUnit") == 0)
        code = ENOENT;
    return {code, context + ": " + error.message};
}

struct AwaitedJob {
    std::string path;
    std::string result;  // empty while it runs
};

int on_job_removed(sd_bus_message* message, void* data, sd_bus_error* /*error*/) {
    auto& job = *static_cast<AwaitedJob*>(data);
    const char* path = nullptr;
    const char* result = nullptr;
    if (sd_bus_message_read(message, "uoss", nullptr, &path, nullptr, &result) >= 0 && job.path == path)
        job.result = result;
    return 0;
}

int append_pids(sd_bus_message* message, const std::vector<pid_t>& pids) {
    int r = 0;
    const auto step = [&](int result) { r = r < 0 ? r : result; };
    step(sd_bus_message_open_container(message, 'r', "sv"));
    step(sd_bus_message_append(message, "s", "PIDs"));
    step(sd_bus_message_open_container(message, 'v', "au"));
    // pid_t and the D-Bus type u have the same size, and no process id is negative.
    step(sd_bus_message_append_array(message, 'u', pids.data(), pids.size() * sizeof(pid_t)));
    step(sd_bus_message_close_container(message));
    step(sd_bus_message_close_container(message));
    return r;
}

}  // namespace

void SystemdManager::CloseBus::operator()(sd_bus* bus) const {
    sd_bus_flush_close_unref(bus);
}

Result<SystemdManager> SystemdManager::verified(int opened, sd_bus* bus) {
    if (opened < 0)
        return Error::from_errno(-opened, "no bus");
    SystemdManager manager{BusPtr(bus)};
    // A bus may exist without a service manager on it.
    auto version = manager.string_property(manager_path, manager_interface, "Version");
    if (!version)
        return std::move(version).error();
    return manager;
}

Result<SystemdManager> SystemdManager::connect(bool system, const std::string& runtime_dir) {
    sd_bus* bus = nullptr;
    const int opened = system ? sd_bus_open_system(&bus) : sd_bus_open_user(&bus);
    auto manager = verified(opened, bus);
    if (manager || (!system && runtime_dir.empty()))
        return manager;
    BusPtr direct;
    if (sd_bus_new(&bus) < 0)
        return manager;
    direct.reset(bus);
    const std::string address = "unix:path=" + (system ? "/run" : runtime_dir) + "/systemd/private";
    int r = sd_bus_set_address(bus, address.c_str());
    if (r >= 0)
        r = sd_bus_start(bus);
    if (r < 0)
        return manager;
    auto by_socket = verified(0, direct.release());
    return by_socket ? std::move(by_socket) : std::move(manager);
}

Result<std::string> SystemdManager::string_property(const std::string& path, const char* interface, const char* property) {
    BusError error;
    char* value = nullptr;
    const int r = sd_bus_get_property_string(bus_.get(), manager_name, path.c_str(), interface, property, &error, &value);
    if (r < 0)
        return bus_failure(r, error, std::string("systemd's property ") + property);
    std::string text(value);
    std::free(value);
    return text;
}

Result<void> SystemdManager::start_scope(const std::string& unit, const std::string& slice, const std::string& description,
                                         const std::vector<pid_t>& pids) {
    const std::string context = "systemd did not start " + unit;
    AwaitedJob job;
    sd_bus_slot* raw_slot = nullptr;
    int r = sd_bus_match_signal(bus_.get(), &raw_slot, manager_name, manager_path, manager_interface, "JobRemoved",
                                on_job_removed, &job);
    const SlotPtr slot(raw_slot);
    sd_bus_message* raw_call = nullptr;
    if (r >= 0)
        r = sd_bus_message_new_method_call(bus_.get(), &raw_call, manager_name, manager_path, manager_interface,
                                           "StartTransientUnit");
    const MessagePtr call(raw_call);
    const auto step = [&](auto&& action) { r = r < 0 ? r : action(); };
    step([&] { return sd_bus_message_append(call.get(), "ss", unit.c_str(), "fail"); });
    step([&] { return sd_bus_message_open_container(call.get(), 'a', "(sv)"); });
    step([&] { return sd_bus_message_append(call.get(), "(sv)", "Description", "s", description.c_str()); });
    step([&] { return sd_bus_message_append(call.get(), "(sv)", "Slice", "s", slice.c_str()); });
    step([&] { return sd_bus_message_append(call.get(), "(sv)", "CollectMode", "s", "inactive-or-failed"); });
    step([&] { return sd_bus_message_append(call.get(), "(sv)", "MemoryAccounting", "b", 1); });
    step([&] { return append_pids(call.get(), pids); });
    step([&] { return sd_bus_message_close_container(call.get()); });
    step([&] { return sd_bus_message_append(call.get(), "a(sa(sv))", 0); });
    if (r < 0)
        return Error::from_errno(-r, context);

    BusError error;
    sd_bus_message* raw_reply = nullptr;
    r = sd_bus_call(bus_.get(), call.get(), 0, &error, &raw_reply);
    const MessagePtr reply(raw_reply);
    if (r < 0)
        return bus_failure(r, error, context);
    const char* path = nullptr;
    r = sd_bus_message_read(reply.get(), "o", &path);
    if (r < 0)
        return Error::from_errno(-r, context);
    // Only sd_bus_process() handles signals, so none was missed before the path was known.
    job.path = path;
    while (job.result.empty()) {
        r = sd_bus_process(bus_.get(), nullptr);
        if (r == 0) {
            r = sd_bus_wait(bus_.get(), job_timeout_us);
            if (r == 0)
                r = -ETIMEDOUT;
        }
        if (r < 0 && r != -EINTR)
            return Error::from_errno(-r, context);
    }
    if (job.result != "done")
        return Error(EIO, context + ": the job ended with '" + job.result + "'");
    return {};
}

Result<std::string> SystemdManager::cgroup_of_slice(const std::string& slice) {
    BusError error;
    sd_bus_message* raw_reply = nullptr;
    const int r = sd_bus_call_method(bus_.get(), manager_name, manager_path, manager_interface, "GetUnit", &error, &raw_reply,
                                     "s", slice.c_str());
    const MessagePtr reply(raw_reply);
    if (r < 0) {
        Error failure = bus_failure(r, error, slice);
        if (failure.code() == ENOENT)
            return std::string();
        return failure;
    }
    const char* path = nullptr;
    if (const int read = sd_bus_message_read(reply.get(), "o", &path); read < 0)
        return Error::from_errno(-read, slice);
    return string_property(path, "org.freedesktop.systemd1.Slice", "ControlGroup");
}

}  // namespace tmm
