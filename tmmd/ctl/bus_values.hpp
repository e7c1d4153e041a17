// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads dictionaries of D-Bus. For the sources that use sdbus-c++ only.
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include <map>
#include <string>

namespace tmm::ctl {

using PropertyMap = std::map<std::string, sdbus::Variant>;

// A service of another version may lack a property or give it another type; value then stays as it is.
template <typename Value>
void take(const PropertyMap& properties, const char* name, Value& value) {
    const auto found = properties.find(name);
    if (found == properties.end())
        return;
    try {
        value = found->second.get<Value>();
    } catch (const sdbus::Error&) {
        return;
    }
}

}  // namespace tmm::ctl
