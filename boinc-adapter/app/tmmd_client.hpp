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
#include "boinc-adapter/app/adapter.hpp"

namespace tmm::boinc {

class TmmdClient {
public:
    // address: of a bus; empty: the system bus. changed: called when tmmd told something. event must outlive it.
    TmmdClient(sd_event* event, std::string address, std::function<void()> changed)
        : event_(event), address_(std::move(address)), changed_(std::move(changed)) {}
    TmmdClient(const TmmdClient&) = delete;
    TmmdClient& operator=(const TmmdClient&) = delete;
    ~TmmdClient() { disconnect(); }

    // Asks tmmd anew; connects first, if need be. Error: there is no bus.
    Result<void> ask();

    [[nodiscard]] const TmmdStatus& status() const { return status_; }

private:
    Result<void> connect();
    void disconnect();
    void take(sd_bus_message* reply);
    static int on_reply(sd_bus_message* reply, void* data, sd_bus_error* error);
    static int on_signal(sd_bus_message* signal, void* data, sd_bus_error* error);

    sd_event* event_;
    std::string address_;
    std::function<void()> changed_;
    sd_bus* bus_ = nullptr;
    sd_bus_slot* call_ = nullptr;  // under way
    TmmdStatus status_;
};

}  // namespace tmm::boinc
