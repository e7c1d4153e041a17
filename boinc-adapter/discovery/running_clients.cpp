// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/running_clients.hpp"

#include <arpa/inet.h>
#include <limits.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <utility>

#include "base/proc_text.hpp"
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

// Local addresses that a connection to 127.0.0.1 reaches, as in /proc/net: each four bytes as a number of this machine.
class AddressTexts {
public:
    [[nodiscard]] bool is_loopback(std::string_view text) const { return text == loopback_ || text == prefix_ + loopback_; }
    // "::" takes IPv4 too.
    [[nodiscard]] bool is_any(std::string_view text) const {
        return text == any_ || text == prefix_ + any_ || text == any_ + any_ + any_ + any_;
    }

private:
    static std::string text_of(std::uint32_t address) {
        std::array<char, 9> text{};
        std::snprintf(text.data(), text.size(), "%08X", htonl(address));
        return text.data();
    }

    std::string any_ = text_of(INADDR_ANY);
    std::string loopback_ = text_of(INADDR_LOOPBACK);
    std::string prefix_ = any_ + any_ + text_of(0xffff);  // of an IPv4 address in IPv6
};

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
    std::sort(first.begin(), first.end(), [](const RunningClient& a, const RunningClient& b) { return a.pid < b.pid; });
    first.resize(std::min(first.size(), max_running_clients));
    return first;
}

std::uint16_t find_port(const RootDir& root, std::optional<pid_t> client) {
    const auto arguments =
        client ? root.read_file("proc/" + std::to_string(*client) + "/cmdline") : Result<std::string>(std::string());
    return arguments ? parse_client_arguments(*arguments).port : RunningClient().port;
}

Listeners parse_listeners(std::string_view text, std::uint16_t port) {
    // "sl: ADDRESS:PORT ADDRESS:PORT STATE tx:rx tr:when retransmits uid ...", numbers in hexadecimal, uid in decimal.
    constexpr std::string_view listening = "0A";
    const AddressTexts addresses;
    Listeners listeners;
    while (!text.empty()) {
        std::string_view line = next_line(text);
        next_word(line);
        const std::string_view local = next_word(line);
        next_word(line);
        if (next_word(line) != listening)
            continue;
        const auto colon = local.rfind(':');
        unsigned number = 0;
        const char* const end = local.data() + local.size();
        if (colon == std::string_view::npos || std::from_chars(local.data() + colon + 1, end, number, 16).ptr != end ||
            number != port)
            continue;
        const std::string_view address = local.substr(0, colon);
        const bool is_loopback = addresses.is_loopback(address);
        if (!is_loopback && !addresses.is_any(address))
            continue;
        for (int i = 0; i < 3; ++i)
            next_word(line);
        const auto uid = parse_uint(next_word(line));
        auto& listener = is_loopback ? listeners.at_loopback : listeners.at_any;
        if (uid && !listener)
            listener = static_cast<uid_t>(*uid);
    }
    return listeners;
}

std::optional<uid_t> find_listener(const RootDir& root, std::uint16_t port) {
    constexpr std::size_t max_bytes = 16U << 20;
    const auto listeners_in = [&](const char* file) {
        const auto text = root.read_file(file, max_bytes);
        return text ? parse_listeners(*text, port) : Listeners();
    };
    const Listeners four = listeners_in("proc/net/tcp");
    const Listeners six = listeners_in("proc/net/tcp6");
    // In the order of the kernel. A socket at "::" may refuse IPv4, and nothing here tells so; nobody is reached then.
    for (const auto& listener : {four.at_loopback, six.at_loopback, four.at_any, six.at_any}) {
        if (listener)
            return listener;
    }
    return std::nullopt;
}

}  // namespace tmm::boinc
