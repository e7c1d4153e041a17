// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// time-lapse-conf: prints a configuration with which tmmd lives through more time than passes. Runs on the host.
#include <cerrno>
#include <cstdio>

#include "base/root_dir.hpp"
#include "base/units.hpp"
#include "program.hpp"
#include "time_lapse.hpp"

namespace tmm::coffee {
namespace {

constexpr const char* usage =
    "time-lapse-conf FACTOR CONF\n"
    "  Prints a configuration of tmmd: the defaults that the comments of CONF (tmmd.conf as\n"
    "  it is shipped) list, with all times divided by FACTOR.\n";

Result<std::string> make_conf(std::span<const char* const> arguments) {
    if (arguments.size() != 2)
        return Error(EINVAL, "expected FACTOR and CONF");
    const auto factor = parse_double(arguments[0]);
    if (!factor)
        return factor.error();
    const auto root = RootDir::open("/");
    if (!root)
        return root.error();
    const auto shipped = root->read_file(arguments[1]);
    if (!shipped)
        return shipped.error();
    return time_lapse_conf(*shipped, *factor);
}

Result<void> print(const std::string& conf) {
    if (std::fputs(conf.c_str(), stdout) == EOF || std::fflush(stdout) != 0)
        return Error::from_errno(errno, "cannot write the configuration");
    return {};
}

}  // namespace
}  // namespace tmm::coffee

int main(int argc, char** argv) {
    return tmm::coffee::run_program("time-lapse-conf", tmm::coffee::usage, argc, argv, tmm::coffee::make_conf,
                                    tmm::coffee::print);
}
