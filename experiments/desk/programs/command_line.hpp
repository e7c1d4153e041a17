// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Command lines of the experiment's programs: "--name VALUE" or "--name=VALUE", every option at most once. Pure.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tmm::desk {

class CommandLine {
public:
    // arguments without the program's name. Error: an unknown option, a missing value, an option given twice, something else.
    static Result<CommandLine> parse(std::span<const char* const> arguments, const std::vector<std::string_view>& known);

    // The option's value, or otherwise when it was not given.
    [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise) const;
    // Error: not given.
    [[nodiscard]] Result<std::string> required(std::string_view name) const;
    // Error: no number, or outside [min, max].
    [[nodiscard]] Result<double> number(std::string_view name, double otherwise, double min, double max) const;

private:
    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace tmm::desk
