// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BusObject: shows tasks on D-Bus as dbus/org.transparentmemory.TmmBoinc1.xml describes. It has a connection of its own: callers
// who read no answers block it, and must not block the one to tmmd. Calls get no answer while earlier answers wait to be sent.
// Used from one thread.
#pragma once

#include <systemd/sd-bus.h>

#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/result.hpp"
#include "boinc-adapter/policy/shown.hpp"

namespace tmm::boinc {

class BusObject {
public:
    // log must outlive it.
    explicit BusObject(const Log& log) : problems_(log) {}
    BusObject(const BusObject&) = delete;
    BusObject& operator=(const BusObject&) = delete;
    ~BusObject() { detach(); }

    // A connection stands, and has an event loop: attach() opens another to the same bus in the same loop. Error: the bus takes
    // none, or no object.
    Result<void> attach(sd_bus* bus);
    void detach();

    // Shows the values, and announces the changed ones of these names. The first call asks the bus for the service's name.
    void show(const Shown& shown, const std::vector<DayOfWork>& days, const std::vector<const char*>& changed);

private:
    static const sd_bus_vtable vtable[];
    static int get(sd_bus* bus, const char* path, const char* interface, const char* property, sd_bus_message* reply, void* data,
                   sd_bus_error* error);
    static int on_message(sd_bus_message* message, void* data, sd_bus_error* error);
    static int on_name(sd_bus_message* reply, void* data, sd_bus_error* error);
    void ask_for_name();
    int append_tasks(sd_bus_message* reply) const;
    int append_other_clients(sd_bus_message* reply) const;
    int append_days(sd_bus_message* reply) const;

    ProblemLog problems_;
    sd_bus* bus_ = nullptr;
    sd_bus_slot* filter_ = nullptr;
    sd_bus_slot* object_ = nullptr;
    sd_bus_slot* name_ = nullptr;
    bool is_shown_ = false;
    Shown shown_;
    std::vector<DayOfWork> days_;
};

}  // namespace tmm::boinc
