// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Passwords: the users of an authentication file, with lines of "user:password", as memcached's option -Y has it. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::caches {

class Passwords {
public:
    // Without users everybody may do everything.
    Passwords() = default;
    // Error: a line without a colon, or no user at all.
    static Result<Passwords> parse(std::string_view text);

    [[nodiscard]] bool are_needed() const { return !users_.empty(); }
    // Compares in a time that depends on lengths only.
    [[nodiscard]] bool match(std::string_view user, std::string_view password) const;

private:
    std::map<std::string, std::string, std::less<>> users_;
};

}  // namespace tmm::caches
