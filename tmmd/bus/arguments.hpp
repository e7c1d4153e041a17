// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks the arguments of callers and translates them. Pure. For the sources of bus/ only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "tmmd/bus/model.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

inline constexpr std::size_t max_name_characters = 64;

// Accepts 1 to 64 characters of UTF-8 without control characters and invisible ones. Error: EINVAL.
Result<void> check_name(std::string_view name);

// The value of a cap as a caller sent it; monostate: of a type that no cap has.
using CapValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

// More bytes than these make a key or a text wrong; whoever reads a message for CapsReader may cut them after the next byte.
inline constexpr std::size_t max_cap_key = 40;
inline constexpr std::size_t max_cap_text = std::string_view("HH:MM-HH:MM").size();

// Translates the argument of SetCaps(), entry by entry. A value that means no bound removes the bound.
class CapsReader {
public:
    // Returns whether it wants the next entry: not after an unknown key, one that came before, or a value that is not valid. So
    // there are never more entries than keys.
    bool add(const std::string& key, const CapValue& value);

    // Returns the change. Error: EINVAL names the key that was wrong.
    [[nodiscard]] Result<core::CapsChange> change() const;

private:
    core::CapsChange change_;
    std::optional<Error> error_;
};

// Returns the dictionary with all keys.
std::map<std::string, sdbus::Variant> write_caps(const wire::Caps& caps);

// Accepts "minutes", "hours" and "days". Error: EINVAL.
Result<Resolution> read_resolution(std::string_view text);

}  // namespace tmm::bus
