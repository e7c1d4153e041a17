// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/service/passwords.hpp"

#include <algorithm>
#include <cerrno>

#include "base/units.hpp"

namespace tmm::caches {

Result<Passwords> Passwords::parse(std::string_view text) {
    Passwords passwords;
    for (int number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = trim(line);
        if (line.empty())
            continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0)
            return Error(EINVAL, "line " + std::to_string(number) + ": not user:password");
        passwords.users_[std::string(line.substr(0, colon))] = line.substr(colon + 1);
    }
    if (passwords.users_.empty())
        return Error(EINVAL, "no user");
    return passwords;
}

bool Passwords::match(std::string_view user, std::string_view password) const {
    const auto found = users_.find(user);
    if (found == users_.end() || found->second.size() != password.size())
        return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < password.size(); ++i)
        difference |= static_cast<unsigned char>(password[i]) ^ static_cast<unsigned char>(found->second[i]);
    return difference == 0;
}

}  // namespace tmm::caches
