// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Requests of BOINC's GUI RPC, each as a whole frame. All functions are pure.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc::request {

// The two steps of authentication. nonce: of the reply to the first. password: of the client's gui_rpc_auth.cfg.
std::string authenticate();
std::string authenticate(std::string_view nonce, std::string_view password);

std::string versions();
std::string tasks();
std::string mode();
std::string host();
std::string works();
std::string preferences();

// These change something, so they need authentication.
std::string suspend(const TaskId& task);
std::string resume(const TaskId& task);
// length: the mode returns to the permanent one after it.
std::string run_never(std::chrono::seconds length);
// Ends a temporary mode.
std::string restore_mode();
// Makes the client read its override of preferences again.
std::string read_preferences();

}  // namespace tmm::boinc::request
