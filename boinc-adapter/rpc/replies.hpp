// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parsers of the replies of BOINC clients from 7.16 on. Unknown tags are ignored, missing ones keep the value's default, and
// markup of projects, which the client passes on as it came, hides nothing that stands beside it. All functions are pure. Errors
// of each: EACCES if the client says that the caller is not authorized; EINVAL for an error that the client reports; EPROTO and
// EFBIG for text that is no such reply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Of tasks and of works in one reply: what follows from each takes a kilobyte.
inline constexpr std::size_t max_tasks = 10'000;

// Return success or the error that the client reports. parse_authorized() is for the reply to the second step.
Result<void> parse_done(std::string_view reply);
Result<void> parse_authorized(std::string_view reply);

Result<std::string> parse_nonce(std::string_view reply);
Result<Version> parse_version(std::string_view reply);
Result<std::vector<Task>> parse_tasks(std::string_view reply);
Result<ModeStatus> parse_mode(std::string_view reply);
// Returns the machine's memory, of which the client's preferences are percentages.
Result<std::uint64_t> parse_memory_bytes(std::string_view reply);
// The same reply tells the machine's swap; 0: none.
Result<std::uint64_t> parse_swap_bytes(std::string_view reply);
Result<Works> parse_works(std::string_view reply);
Result<Preferences> parse_preferences(std::string_view reply);
// The same reply tells the percentage of swap that all tasks' address space may have.
Result<double> parse_swap_percent(std::string_view reply);

}  // namespace tmm::boinc
