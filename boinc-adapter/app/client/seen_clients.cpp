// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/seen_clients.hpp"

#include <pwd.h>
#include <unistd.h>

#include <filesystem>

#include "boinc-adapter/discovery/running_clients.hpp"

namespace tmm::boinc {

namespace {

// Another user could name a directory that never answers.
SeenClient seen_client(const RunningClient& client, uid_t own) {
    SeenClient seen{client.pid, client.uid, std::to_string(client.uid), client.data_dir, {}, false};
    if (const passwd* entry = ::getpwuid(client.uid))
        seen.user = entry->pw_name;
    if (client.at_port)
        seen.port = client.port;
    if (!client.data_dir.empty() && (client.uid == own || client.uid == 0)) {
        seen.data_dir = without_links(client.data_dir);
        seen.is_readable = ::access((seen.data_dir + "/gui_rpc_auth.cfg").c_str(), R_OK) == 0;
    }
    return seen;
}

}  // namespace

std::string without_links(const std::string& directory) {
    std::error_code code;
    const auto path = std::filesystem::weakly_canonical(directory, code);
    return code ? directory : path.string();
}

std::vector<SeenClient> see_clients(const RootDir& root, uid_t own) {
    std::vector<SeenClient> seen;
    for (const RunningClient& client : find_running_clients(root))
        seen.push_back(seen_client(client, own));
    return seen;
}

}  // namespace tmm::boinc
