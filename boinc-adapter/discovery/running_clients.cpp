// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/running_clients.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/bounds/in_turn.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::boinc {

namespace {

bool is_client_name(std::string_view name) {
    constexpr std::array<std::string_view, 3> names{"boinc", "boinc_client", "boinc-client"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns the first number of the line "name: number ...".
std::optional<std::uint64_t> number_of(std::string_view status, std::string_view name) {
    while (!status.empty()) {
        std::string_view line = next_line(status);
        if (next_word(line) != name)
            continue;
        const auto number = parse_uint(next_word(line));
        return number ? std::optional(*number) : std::nullopt;
    }
    return std::nullopt;
}

// Returns the directory in which the process works, if this user may see it.
std::string working_directory(const RootDir& root, const std::string& folder) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(root.fd(), (folder + "/cwd").c_str(), target.data(), target.size());
    return size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace

RunningClient parse_client_arguments(std::string_view arguments) {
    RunningClient client;
    const auto next = [&arguments] {
        const auto end = std::min(arguments.find('\0'), arguments.size());
        const std::string_view word = arguments.substr(0, end);
        arguments.remove_prefix(std::min(end + 1, arguments.size()));
        return word;
    };
    next();  // the program
    while (!arguments.empty()) {
        std::string_view word = next();
        // The client takes one dash for two.
        if (word.starts_with("--"))
            word.remove_prefix(1);
        if (word == "-dir") {
            const std::string_view dir = next();
            client.data_dir = dir.starts_with('/') ? dir : std::string_view();
        } else if (word == "-gui_rpc_port") {
            const auto port = parse_uint(next());
            if (port && *port > 0 && *port <= std::numeric_limits<std::uint16_t>::max())
                client.port = static_cast<std::uint16_t>(*port);
        } else if (word == "-gui_rpc_unix_domain") {
            client.at_port = false;
        }
    }
    return client;
}

std::vector<RunningClient> find_running_clients(const RootDir& root) {
    std::vector<RunningClient> clients;
    std::vector<pid_t> parents;
    const auto names = root.list_dirs("proc");
    if (!names)
        return clients;
    for (const std::string& name : *names) {
        const auto pid = parse_uint(name);
        if (!pid || *pid > static_cast<std::uint64_t>(INT_MAX))
            continue;
        const std::string folder = "proc/" + name;
        const auto word = root.read_file(folder + "/comm");
        if (!word || !is_client_name(trim(*word)))
            continue;
        const auto status = root.read_file(folder + "/status");
        const auto arguments = root.read_file(folder + "/cmdline");
        const auto uid = status ? number_of(*status, "Uid:") : std::nullopt;
        if (!uid || !arguments)
            continue;  // it has ended
        RunningClient client = parse_client_arguments(*arguments);
        client.pid = static_cast<pid_t>(*pid);
        client.uid = static_cast<uid_t>(*uid);
        if (client.data_dir.empty())
            client.data_dir = working_directory(root, folder);
        clients.push_back(std::move(client));
        parents.push_back(static_cast<pid_t>(number_of(*status, "PPid:").value_or(0)));
    }
    // A client that starts a task is two processes for a moment.
    std::vector<RunningClient> first;
    for (std::size_t i = 0; i < clients.size(); ++i) {
        const bool is_child =
            std::any_of(clients.begin(), clients.end(), [&](const RunningClient& other) { return other.pid == parents[i]; });
        if (!is_child)
            first.push_back(clients[i]);
    }
    const auto by_pid = [](const RunningClient& a, const RunningClient& b) { return a.pid < b.pid; };
    std::sort(first.begin(), first.end(), by_pid);
    first = in_turn(
        first, [](const RunningClient& client) { return client.uid; }, max_running_clients);
    std::sort(first.begin(), first.end(), by_pid);
    return first;
}

std::uint16_t find_port(const RootDir& root, std::optional<pid_t> client) {
    const auto arguments =
        client ? root.read_file("proc/" + std::to_string(*client) + "/cmdline") : Result<std::string>(std::string());
    return arguments ? parse_client_arguments(*arguments).port : RunningClient().port;
}

}  // namespace tmm::boinc
