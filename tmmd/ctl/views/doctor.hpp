// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmmctl doctor: checks whether the machine has what TMM needs. Reads files below a root directory; the facts about the bus are
// an argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

struct Check {
    enum class Result { ok, warning, problem };
    std::string name;
    Result result = Result::ok;
    std::string finding;
    std::string advice;  // what to do; empty if ok
};

// Facts about the system bus.
struct BusFacts {
    std::string bus_problem;     // why it cannot be reached; empty: it was reached
    std::string daemon_problem;  // why tmmd does not answer; empty: it answered
    std::optional<wire::Status> status;
    bool has_polkit = false;  // it runs, or the bus can start it
};

// Returns one Check for each thing that TMM needs, in the order of the output.
std::vector<Check> examine(const RootDir& root, const BusFacts& bus);

// Returns whether a check found a problem; warnings do not count.
bool has_problem(const std::vector<Check>& checks);

// A line for each check with what to do, and one that sums up.
std::string format_checks(const std::vector<Check>& checks, const Screen& screen);
// One object on one line.
std::string checks_json(const std::vector<Check>& checks);

}  // namespace tmm::ctl
