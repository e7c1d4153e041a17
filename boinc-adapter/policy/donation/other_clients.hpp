// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Several clients on one machine: which one is tmm-boinc's, what its user reads of the others, and whether a port leads to the
// right one. To tell another client tmm-boinc's limit would change the wrong preferences and suspend a stranger's tasks. Pure.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmm::boinc {

// The client that the owner's configuration names.
struct OwnClient {
    std::string data_dir;               // without links
    uid_t uid = 0;                      // of the directory
    std::optional<std::uint16_t> port;  // none: a Unix socket
    std::optional<pid_t> pid;           // that locks the directory
};

struct SeenClient {
    pid_t pid = 0;
    uid_t uid = 0;
    std::string user;                   // for people
    std::string data_dir;               // without links; empty: not known
    std::optional<std::uint16_t> port;  // none: a Unix socket
    bool is_readable = false;           // tmm-boinc could read its password
};

// Returns why tmm-boinc must not talk to the port of `own`, which has one. Empty: it may. listener: the user who listens there,
// as the kernel tells.
std::string reason_not_to_connect(const OwnClient& own, uid_t listener, const std::vector<SeenClient>& seen);

// Returns why the own client does not answer although it runs, or why its port is not touched, for people. Empty: neither is.
// wrong: the reason not to connect. problem: of the connection. Both may be empty.
std::string reason_of_silence(const OwnClient& own, const std::string& wrong, const std::string& problem);

// Returns one sentence for each client that tmm-boinc leaves alone: whose it is, and whether tmm-boinc could follow it.
std::vector<std::string> sentences_of_others(const OwnClient& own, const std::vector<SeenClient>& seen);

}  // namespace tmm::boinc
