// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmmctl doctor looks at: is all there that TMM needs? Reads files below a root directory; what the bus says is handed in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/ctl/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

struct Check {
    enum class Result { ok, warning, problem };
    std::string name;
    Result result = Result::ok;
    std::string finding;
    std::string advice;  // what to do; empty if ok
};

// What was found on the system bus.
struct BusFacts {
    std::string bus_problem;     // why it cannot be reached; empty: it can
    std::string daemon_problem;  // why tmmd does not answer; empty: it does
    std::optional<wire::Status> status;
    bool has_polkit = false;  // it runs, or would be started
};

std::vector<Check> examine(const RootDir& root, const BusFacts& bus);

bool has_problem(const std::vector<Check>& checks);

std::string format_checks(const std::vector<Check>& checks, const Screen& screen);
std::string checks_json(const std::vector<Check>& checks);

}  // namespace tmm::ctl
