// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the format of configuration files: INI with [Section] lines, "Key = value" lines, and comments from '#' or ';' at the
// start of a line. Values run to the end of the line; there is no quoting and no continuation. Later entries override earlier
// ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

struct IniEntry {
    std::string section;
    std::string key;
    std::string value;
    std::string file;  // for messages
    int line = 0;      // from 1

    // Returns "FILE:LINE: Key", the beginning of every message about this entry.
    [[nodiscard]] std::string where() const { return file + ":" + std::to_string(line) + ": " + key; }
};

// Parses text; file_name is for messages. Pure. Error: EINVAL with "FILE:LINE: problem" for a line that is none of the above, a
// key before any section, or an empty key.
Result<std::vector<IniEntry>> parse_ini(std::string_view text, const std::string& file_name);

// Reads path, then every *.conf of the directory path + ".d" in the order of their names. A missing main file is an error unless
// may_be_missing is set; a missing directory never is. Other errors: as of parse_ini() and RootDir::read_file().
Result<std::vector<IniEntry>> read_ini_with_dropins(const RootDir& root, const std::string& path, bool may_be_missing);

}  // namespace tmm
