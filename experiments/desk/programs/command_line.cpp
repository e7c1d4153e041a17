// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "command_line.hpp"

#include <algorithm>

#include "base/units.hpp"

namespace tmm::desk {

Result<CommandLine> CommandLine::parse(std::span<const char* const> arguments, const std::vector<std::string_view>& known) {
    CommandLine line;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string_view argument = arguments[i];
        const std::string shown(argument);
        if (!argument.starts_with("--"))
            return Error(0, "expected an option like --name, found '" + shown + "'");
        argument.remove_prefix(2);
        const std::size_t equals = argument.find('=');
        const std::string name(argument.substr(0, equals));
        if (std::find(known.begin(), known.end(), name) == known.end())
            return Error(0, "unknown option '--" + name + "'");

        std::string value;
        if (equals != std::string_view::npos)
            value = argument.substr(equals + 1);
        else if (++i < arguments.size())
            value = arguments[i];
        else
            return Error(0, "--" + name + " needs a value");
        if (!line.values_.emplace(name, value).second)
            return Error(0, "--" + name + " is given twice");
    }
    return line;
}

std::string CommandLine::text(std::string_view name, std::string_view otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::string(otherwise) : found->second;
}

Result<std::string> CommandLine::required(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end() || found->second.empty())
        return Error(0, "--" + std::string(name) + " is missing");
    return found->second;
}

Result<double> CommandLine::number(std::string_view name, double otherwise, double min, double max) const {
    const auto found = values_.find(name);
    if (found == values_.end())
        return otherwise;
    auto value = parse_double(found->second);
    if (!value || *value < min || *value > max)
        return Error(0, "--" + std::string(name) + " must be a number from " + format_fixed(min, 0) + " to " +
                            format_fixed(max, 0) + ", not '" + found->second + "'");
    return *value;
}

}  // namespace tmm::desk
