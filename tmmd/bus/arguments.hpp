// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks the arguments of callers and translates them. Pure. For the sources of bus/ only.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/bus/model.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

// Accepts 1 to 64 characters of UTF-8 without control characters and invisible ones. Error: EINVAL.
Result<void> check_name(std::string_view name);

// Translates the argument of SetCaps(). A value that means no bound removes the bound. Error: EINVAL names the key that is
// unknown, or whose value has a wrong type or is out of its range.
Result<core::CapsChange> read_caps(const std::map<std::string, sdbus::Variant>& caps);

// Returns the dictionary with all keys.
std::map<std::string, sdbus::Variant> write_caps(const wire::Caps& caps);

// Accepts "minutes", "hours" and "days". Error: EINVAL.
Result<Resolution> read_resolution(std::string_view text);

}  // namespace tmm::bus
