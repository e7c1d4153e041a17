// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/patterns.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstring>

namespace soft::files {

Patterns::Patterns(std::string_view list, std::vector<std::string>& complaints) {
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(':'));
        list.remove_prefix(std::min(list.size(), item.size() + 1));
        if (item.empty()) {
            continue;
        }
        if (item.front() != '/') {
            complaints.push_back("'" + std::string(item) + "' is ignored: patterns are absolute paths, like /data/*.mbtiles");
        } else if (item.size() > max_path_bytes) {
            complaints.push_back("'" + std::string(item) + "' is ignored: it is longer than " + std::to_string(max_path_bytes) +
                                 " bytes");
        } else {
            patterns_.emplace_back(item);
        }
    }
}

bool Patterns::match(const char* path) const noexcept {
    return strnlen(path, max_path_bytes + 1) <= max_path_bytes &&
           std::any_of(patterns_.begin(), patterns_.end(),
                       [path](const std::string& pattern) { return fnmatch(pattern.c_str(), path, FNM_PATHNAME) == 0; });
}

}  // namespace soft::files
