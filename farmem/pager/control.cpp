// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/control.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "base/units.hpp"

namespace tmm::far {

namespace {

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> found;
    while (!line.empty()) {
        const std::size_t length = std::min(line.find(' '), line.size());
        if (length > 0)
            found.push_back(line.substr(0, length));
        line.remove_prefix(std::min(length + 1, line.size()));
    }
    return found;
}

}  // namespace

bool is_name(std::string_view name) {
    return !name.empty() && name.size() < 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    });
}

Result<Parts> parse_without(std::string_view list) {
    Parts parts;
    if (list == "none")
        return parts;
    const std::map<std::string_view, bool*> switches{
        {"streams", &parts.prefetch.streams},
        {"vote", &parts.prefetch.vote},
        {"successors", &parts.prefetch.successors},
        {"edges", &parts.prefetch.edges},
        {"keep", &parts.keep},
        {"spin", &parts.spin},
        {"async-read", &parts.async_read},
        {"async-write", &parts.async_write},
        {"fair", &parts.link.fair},
        {"drop-late", &parts.link.drop_late},
        {"reissue", &parts.link.reissue},
        {"demand-first", &parts.link.demand_first},
    };
    for (std::size_t start = 0; start <= list.size();) {
        const std::string_view name = list.substr(start, list.find(',', start) - start);
        const auto found = switches.find(name);
        if (found == switches.end())
            return Error(EINVAL, "no part '" + std::string(name) + "' to switch off");
        *found->second = false;
        start += name.size() + 1;
    }
    return parts;
}

Result<Command> parse_command(std::string_view line) {
    const std::vector<std::string_view> given = words(line);
    Command command;
    const auto is = [&](std::string_view word, std::size_t nr_words) { return given.size() == nr_words && given[0] == word; };
    if (is("status", 1))
        return command;
    if (is("stop", 2))
        command.kind = Command::Kind::stop;
    else if (is("limit", 3))
        command.kind = Command::Kind::limit;
    else if (is("record", 3))
        command.kind = Command::Kind::record;
    else if (is("run", 7) || (is("run", 8) && given[7] == "follow"))
        command.kind = Command::Kind::run;
    else
        return Error(EINVAL, "unknown command");
    command.name = given[1];
    if (!is_name(command.name))
        return Error(EINVAL, "'" + command.name + "' is no name: letters, digits, '-', '_' and '.', at most 63");
    if (command.kind == Command::Kind::record) {
        command.path = given[2];
    } else if (given.size() > 2) {
        const auto bytes = parse_bytes(given[2]);
        if (!bytes || *bytes < min_limit_bytes)
            return Error(EINVAL, "local memory is at least " + format_bytes(min_limit_bytes));
        command.limit_bytes = *bytes;
    }
    if (command.kind == Command::Kind::run) {
        command.store = given[3];
        const auto window = parse_uint(given[4]);
        if (!window || *window > max_window)
            return Error(EINVAL, "a window has at most " + std::to_string(max_window) + " pages");
        command.window = *window;
        const auto weight = parse_uint(given[5]);
        if (!weight || *weight < 1 || *weight > max_weight)
            return Error(EINVAL, "a weight is from 1 to " + std::to_string(max_weight));
        command.weight = static_cast<std::uint32_t>(*weight);
        command.without = given[6];
        if (const auto parts = parse_without(given[6]); !parts)
            return parts.error();
        command.follows = given.size() == 8;
    }
    return command;
}

std::string format_command(const Command& command) {
    switch (command.kind) {
        case Command::Kind::status:
            return "status";
        case Command::Kind::stop:
            return "stop " + command.name;
        case Command::Kind::limit:
            return "limit " + command.name + " " + std::to_string(command.limit_bytes);
        case Command::Kind::run:
            return "run " + command.name + " " + std::to_string(command.limit_bytes) + " " + command.store + " " +
                   std::to_string(command.window) + " " + std::to_string(command.weight) + " " + command.without +
                   (command.follows ? " follow" : "");
        case Command::Kind::record:
            return "record " + command.name + " " + command.path;
    }
    return "";
}

}  // namespace tmm::far
