// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/systemd/registration.hpp"

#include <cerrno>
#include <optional>

#include "maketransparent/systemd/sd_bus_handles.hpp"

namespace tmm {

namespace {

constexpr const char* daemon_name = "org.transparentmemory.Tmm1";
constexpr const char* daemon_path = "/org/transparentmemory/Tmm1";
constexpr const char* daemon_interface = "org.transparentmemory.Tmm1";

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// Closes without a flush, which would wait for a hung bus.
struct CloseWithoutFlush {
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
using BusPtr = std::unique_ptr<sd_bus, CloseWithoutFlush>;

using Answer = std::optional<Result<void>>;

int on_answer(sd_bus_message* message, void* data, sd_bus_error* /*error*/) {
    auto& answer = *static_cast<Answer*>(data);
    const sd_bus_error* const error = sd_bus_message_get_error(message);
    if (error == nullptr)
        answer = Result<void>();
    else
        answer = Error(sd_bus_error_get_errno(error), error->message != nullptr ? error->message : error->name);
    return 0;
}

Result<void> wait_for(sd_bus* bus, const Answer& answer, Clock::time_point deadline) {
    while (!answer) {
        int r = sd_bus_process(bus, nullptr);
        if (r == 0) {
            const auto left = std::chrono::duration_cast<microseconds>(deadline - Clock::now());
            if (left.count() <= 0)
                return Error(ETIMEDOUT, "no answer within " + std::to_string(registration_timeout.count()) + " ms");
            r = sd_bus_wait(bus, static_cast<std::uint64_t>(left.count()));
        }
        if (r < 0 && r != -EINTR)
            return Error::from_errno(-r, "system bus");
    }
    return *answer;
}

}  // namespace

Result<void> register_contribution(const std::string& name) {
    const auto deadline = Clock::now() + registration_timeout;
    sd_bus* raw_bus = nullptr;
    // Only connects. sd_bus_process() exchanges the greetings, within the deadline.
    if (const int r = sd_bus_open_system(&raw_bus); r < 0)
        return Error::from_errno(-r, "system bus");
    const BusPtr bus(raw_bus);
    sd_bus_message* raw_call = nullptr;
    int r =
        sd_bus_message_new_method_call(bus.get(), &raw_call, daemon_name, daemon_path, daemon_interface, "RegisterContribution");
    const MessagePtr call(raw_call);
    const auto step = [&](auto&& action) { r = r < 0 ? r : action(); };
    // Do not start a tmmd that its owner has stopped.
    step([&] { return sd_bus_message_set_auto_start(call.get(), 0); });
    step([&] { return sd_bus_message_append(call.get(), "s", name.c_str()); });
    Answer answer;
    sd_bus_slot* raw_slot = nullptr;
    step([&] {
        return sd_bus_call_async(bus.get(), &raw_slot, call.get(), on_answer, &answer,
                                 static_cast<std::uint64_t>(microseconds(registration_timeout).count()));
    });
    const SlotPtr slot(raw_slot);
    if (r < 0)
        return Error::from_errno(-r, "system bus");
    return wait_for(bus.get(), answer, deadline);
}

}  // namespace tmm
