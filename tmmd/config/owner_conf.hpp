// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The owner's will as text that people can read, /var/lib/tmm/owner.conf, and the caps as both that file and tmmd.conf(5) have
// them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/ini.hpp"
#include "base/result.hpp"
#include "tmmd/core/giving/giving.hpp"

namespace tmm::config {

// MaxBytes, MaxPercent, OnlyWhenIdle, OnlyOnMains, QuietHours. Error: EINVAL with "FILE:LINE: Key: what is wrong", also for any
// other key.
Result<void> set_cap(const IniEntry& entry, core::Caps& caps);

std::string format_settings(const core::Settings& settings);

// file_name: for messages. Error: as above.
Result<core::Settings> parse_settings(std::string_view text, const std::string& file_name);

// What counts when there was a file and it cannot be believed: the owner may have wanted nothing to be given.
core::Settings cautious_settings();

}  // namespace tmm::config
