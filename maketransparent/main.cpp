// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// main(): connects options, configuration, placement and launcher.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/log/log.hpp"
#include "maketransparent/cgroup/cgroup_mount.hpp"
#include "maketransparent/cgroup/directory_placement.hpp"
#include "maketransparent/launcher.hpp"
#include "maketransparent/launcher_config.hpp"
#include "maketransparent/options.hpp"
#include "maketransparent/systemd/systemd_placement.hpp"

namespace tmm {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string user_config_dir() {
    std::string dir = environment("XDG_CONFIG_HOME");
    if (const std::string home = environment("HOME"); dir.empty() && !home.empty())
        dir = home + "/.config";
    return dir.starts_with('/') ? dir : "";
}

Result<std::unique_ptr<Placement>> choose_placement(const RootDir& root, const Options& options) {
    std::string cgroup_dir = options.cgroup_dir;
    if (cgroup_dir.empty() && options.manager == Manager::automatic) {
        auto config = read_config(root, user_config_dir());
        if (!config)
            return std::move(config).error();
        cgroup_dir = config->cgroup_dir;
    }
    if (!cgroup_dir.empty()) {
        std::error_code error;
        const auto absolute = std::filesystem::absolute(cgroup_dir, error);
        if (error)
            return Error::from_errno(error.value(), cgroup_dir);
        return std::unique_ptr<Placement>(std::make_unique<DirectoryPlacement>(root, absolute.string()));
    }
    auto mount = find_cgroup_mount(root);
    if (!mount)
        return std::move(mount).error();
    const bool system = options.manager == Manager::automatic ? ::geteuid() == 0 : options.manager == Manager::system;
    return std::unique_ptr<Placement>(
        std::make_unique<SystemdPlacement>(root, std::move(*mount), system, environment("XDG_RUNTIME_DIR")));
}

// Returns an exit status, or not at all if a command replaces this process.
int launch(const Options& options, const Log& log) {
    const auto root = RootDir::open("/");
    if (!root) {
        log.error(root.error().message());
        return exit_own_error;
    }
    const auto placement = choose_placement(*root, options);
    if (!placement) {
        log.error(placement.error().message());
        return exit_own_error;
    }
    Launcher launcher(*root, log, **placement);
    switch (options.action) {
        case Action::mark:
            return launcher.mark(options);
        case Action::list:
            return launcher.list();
        case Action::release:
            return launcher.release(options);
        default:
            return launcher.run(options);
    }
}

}  // namespace
}  // namespace tmm

int main(int argc, char** argv) {
    const tmm::Log log("maketransparent", tmm::LogLevel::info, false);
    const auto options = tmm::parse_options(argc, argv);
    if (!options) {
        log.error(options.error().message());
        return tmm::exit_own_error;
    }
    if (options->action == tmm::Action::help) {
        std::fputs(std::string(tmm::usage()).c_str(), stdout);
        return 0;
    }
    if (options->action == tmm::Action::version) {
        std::puts("maketransparent " TMM_VERSION);
        return 0;
    }
    return tmm::launch(*options, log);
}
