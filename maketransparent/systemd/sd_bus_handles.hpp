// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Owners of sd-bus objects, for systemd_manager.cpp and registration.cpp, the only two files that include sd-bus.
// The descriptors of sd-bus are close-on-exec. It starts no thread and changes no signal, so a program may exec after it.
#pragma once

#include <systemd/sd-bus.h>

#include <memory>

namespace tmm {

struct BusError : sd_bus_error {
    BusError() : sd_bus_error{} {}
    BusError(const BusError&) = delete;
    BusError& operator=(const BusError&) = delete;
    ~BusError() { sd_bus_error_free(this); }
};

struct Unref {
    void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
    void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
using MessagePtr = std::unique_ptr<sd_bus_message, Unref>;
using SlotPtr = std::unique_ptr<sd_bus_slot, Unref>;

}  // namespace tmm
