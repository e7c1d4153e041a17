// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TmmdClient: the state of tmmd as D-Bus tells it, in an sd-event loop. It never blocks and starts no tmmd. Used from one thread.
#pragma once

#include <systemd/sd-bus.h>

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "boinc-adapter/app/bus_object.hpp"
#include "boinc-adapter/policy/donation/donation.hpp"

namespace tmm::boinc {

class TmmdClient {
public:
    // address: of a bus; empty: the system bus. changed: called when tmmd told something. object: to be shown on the same
    // connection; may be null. event and object must outlive it.
    TmmdClient(sd_event* event, std::string address, BusObject* object, std::function<void()> changed)
        : event_(event), address_(std::move(address)), object_(object), changed_(std::move(changed)) {}
    TmmdClient(const TmmdClient&) = delete;
    TmmdClient& operator=(const TmmdClient&) = delete;
    ~TmmdClient() { disconnect(); }

    // Asks tmmd anew; connects first, if need be. Error: there is no bus.
    Result<void> ask();

    // Whether to ask as soon as tmmd announces a change. It does so each second: a process that need not know at once sleeps
    // longer. Else only the start and the end of tmmd wake it.
    void follow(bool follows);

    [[nodiscard]] const TmmdStatus& status() const { return status_; }

private:
    Result<void> connect();
    int listen();
    void disconnect();
    void take(sd_bus_message* reply);
    static int on_reply(sd_bus_message* reply, void* data, sd_bus_error* error);
    static int on_signal(sd_bus_message* signal, void* data, sd_bus_error* error);

    sd_event* event_;
    std::string address_;
    BusObject* object_;
    std::function<void()> changed_;
    sd_bus* bus_ = nullptr;
    sd_bus_slot* call_ = nullptr;  // under way
    sd_bus_slot* changes_ = nullptr;
    bool follows_ = true;
    TmmdStatus status_;
};

}  // namespace tmm::boinc
