// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// set_aside: deals with a saved file that cannot be used.
#pragma once

#include <string>
#include <string_view>

#include "base/log/log.hpp"
#include "base/result.hpp"

namespace tmm::storage {

// Logs why the file cannot be used, and the consequence, and renames the file to .bad. dry_run: leaves the file as it is. File:
// an AtomicFile or a StateFile.
template <typename File>
void set_aside(const File& file, const Log& log, const Error& why, std::string_view consequence, bool dry_run) {
    log.warning(why.message() + (dry_run ? "; a dry run leaves the file; " : "; the file is renamed to .bad; ") +
                std::string(consequence));
    if (dry_run)
        return;
    const auto renamed = file.rename_to_bad();
    if (!renamed)
        log.warning(renamed.error().message() + ", ignoring");
}

}  // namespace tmm::storage
