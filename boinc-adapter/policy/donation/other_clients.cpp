// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/other_clients.hpp"

#include <algorithm>
#include <string_view>

#include "base/text/utf8.hpp"

namespace tmm::boinc {

namespace {

constexpr std::size_t max_sentences = 8;
constexpr std::size_t max_name_bytes = 256;

// Users choose the names of their directories.
std::string name_of(const std::string& text) {
    return printable(std::string_view(text).substr(0, max_name_bytes));
}

bool is_own(const OwnClient& own, const SeenClient& client) {
    if (own.pid)
        return client.pid == *own.pid;
    // Anybody can name that directory in a command line; a client there can only be its owner's or root's.
    if (!client.data_dir.empty())
        return client.data_dir == own.data_dir && (client.uid == own.uid || client.uid == 0);
    // One that shares its directory locks nothing.
    return client.uid == own.uid && client.port == own.port;
}

std::string sentence_of(const OwnClient& own, const SeenClient& client) {
    const std::string process = std::to_string(client.pid);
    std::string text = "Another BOINC client runs as user " + name_of(client.user) +
                       (client.data_dir.empty() ? "" : " in " + name_of(client.data_dir)) + " (process " + process + "). ";
    if (client.is_readable)
        return text + "tmm-boinc follows the one in " + name_of(own.data_dir) + "; tmm-boinc(8) tells how to choose the other.";
    return text +
           "tmm-boinc leaves it alone, for it may not read its password; its user can make its next tasks contributions with " +
           "'maketransparent -p " + process + "'.";
}

}  // namespace

std::string reason_not_to_connect(const OwnClient& own, uid_t listener, const std::vector<SeenClient>& seen) {
    const std::string port = "port " + std::to_string(*own.port);
    uid_t uid = own.uid;
    bool is_here = false;
    for (const SeenClient& client : seen) {
        if (!is_own(own, client))
            continue;
        uid = client.uid;
        is_here = is_here || client.port == own.port;
    }
    for (const SeenClient& client : seen) {
        // Two cannot listen at one port.
        if (!is_here && client.port == own.port && client.uid == listener && !client.data_dir.empty())
            return "at " + port + " is the BOINC client of " + name_of(client.data_dir) + ", and not that of " +
                   name_of(own.data_dir);
    }
    if (listener != uid)
        return "at " + port + " listens user " + std::to_string(listener) + ", who has not the BOINC client of " +
               name_of(own.data_dir);
    return {};
}

std::string reason_of_silence(const OwnClient& own, const std::string& wrong, const std::string& problem) {
    const std::string remedy = "; tmm-boinc(8) tells how to name another port or a socket.";
    if (!wrong.empty())
        return "tmm-boinc talks to no BOINC client: " + wrong + remedy;
    if (!own.pid || problem.empty())
        return {};
    return "The BOINC client runs (process " + std::to_string(*own.pid) + "), but does not answer at " +
           (own.port ? "port " + std::to_string(*own.port) : "the socket of --socket") + ": " + problem + remedy;
}

std::vector<std::string> sentences_of_others(const OwnClient& own, const std::vector<SeenClient>& seen) {
    std::vector<std::string> sentences;
    for (const SeenClient& client : seen) {
        if (!is_own(own, client) && sentences.size() < max_sentences)
            sentences.push_back(sentence_of(own, client));
    }
    return sentences;
}

}  // namespace tmm::boinc
