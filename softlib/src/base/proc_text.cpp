// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/base/proc_text.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace soft::detail {

std::string read_proc(const std::string& path) {
    std::string text;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return text;
    }
    char part[4096];
    for (ssize_t length = 0; (length = read(file, part, sizeof part)) > 0;) {
        text.append(part, static_cast<std::size_t>(length));
    }
    close(file);
    return text;
}

}  // namespace soft::detail
