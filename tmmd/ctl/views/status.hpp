// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl status, limit, pause, resume, on and off. Pure but for the time zone and the names of users. now: seconds
// since 1970.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "base/text/json.hpp"
#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/ctl/views/boinc.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

// Exit statuses of tmmctl, tmmctl(1).
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_no_daemon = 3;

// Returns the exit status of tmmctl status --quiet: 0 giving, 10 waiting, 11 paused, 12 off, 13 trouble, 14 an unknown word.
int exit_of_state(const std::string& state);

// "1.5 GiB hours".
std::string format_gib_hours(double byte_seconds);

// "giving", "paused until 07:00 (8 h 12 min more)".
std::string state_sentence(const wire::Status& status, std::time_t now);

// The state with its reason, and the bar of memory; also the head of tmmctl top.
std::string format_summary(const wire::Status& status, std::time_t now, const Screen& screen);

std::string format_status(const wire::Status& status, const std::vector<wire::Contribution>& contributions, std::time_t now,
                          const Screen& screen, const std::vector<BoincTask>& tasks = {});

// tasks: of the BOINC client, to be shown below its service.
std::string format_contributions(const std::vector<wire::Contribution>& contributions, const Screen& screen,
                                 const std::vector<BoincTask>& tasks = {});

// The conditions in one line, or "none".
std::string caps_sentence(const wire::Caps& caps);

std::string format_caps(const wire::Caps& caps);

// "5.1 GiB", "none"
std::string format_limit(std::uint64_t bytes);

// "0.40 %", "not known"
std::string format_share(double share);

JsonObject status_json(const wire::Status& status);
// Adds the reason as a sentence, a word and its quantities.
void add_reason(JsonObject& object, const wire::Status& status);
std::string caps_json(const wire::Caps& caps);
std::string contribution_json(const wire::Contribution& contribution);
std::string contributions_json(const std::vector<wire::Contribution>& contributions);

// Adds the bytes, or null for no limit.
void add_limit(JsonObject& object, std::string_view key, std::uint64_t bytes);

// Returns the name of a user, or the number if there is no name.
std::string user_name(std::uint32_t user);

}  // namespace tmm::ctl
