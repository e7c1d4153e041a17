// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads and writes the owner's settings as readable text, /var/lib/tmm/owner.conf. It reads the caps for tmmd.conf(5), too. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/text/ini.hpp"
#include "tmmd/core/giving/giving.hpp"

namespace tmm::config {

// Sets the cap that the entry names: MaxBytes, MaxPercent, OnlyWhenIdle, OnlyOnMains or QuietHours. Error: EINVAL with
// "FILE:LINE: Key: REASON", also for any other key.
Result<void> set_cap(const IniEntry& entry, core::Caps& caps);

// Returns the text of owner.conf.
std::string format_settings(const core::Settings& settings);

// file_name: for messages. Error: as of set_cap().
Result<core::Settings> parse_settings(std::string_view text, const std::string& file_name);

// Returns the settings for a file that exists but is not valid: paused, because the owner may have wanted nothing to be given.
core::Settings cautious_settings();

}  // namespace tmm::config
