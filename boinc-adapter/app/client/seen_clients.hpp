// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The clients on this machine with all that tmm-boinc may know of them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "boinc-adapter/policy/donation/other_clients.hpp"

namespace tmm::boinc {

// Returns the path of a directory without symbolic links, as far as this user may see.
std::string without_links(const std::string& directory);

// root: "/". own: the user of the client that is followed.
std::vector<SeenClient> see_clients(const RootDir& root, uid_t own);

}  // namespace tmm::boinc
