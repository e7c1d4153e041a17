// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "maketransparent/cgroup/cgroup_class.hpp"
#include "maketransparent/cgroup/memory_pressure.hpp"
#include "maketransparent/process/listing.hpp"
#include "maketransparent/process/names.hpp"
#include "maketransparent/process/oom_score.hpp"
#include "maketransparent/systemd/registration.hpp"

namespace tmm {

namespace {

std::string describe(const Candidate& candidate) {
    return std::to_string(candidate.pid) + " (" + printable(candidate.info.stat.comm) + ")";
}

constexpr const char* not_the_first = "; if memory runs out, the kernel may kill one of the owner's programs first";

std::vector<pid_t> pids_of(const std::vector<Candidate>& candidates) {
    std::vector<pid_t> pids;
    std::transform(candidates.begin(), candidates.end(), std::back_inserter(pids), [](const Candidate& c) { return c.pid; });
    return pids;
}

}  // namespace

int Launcher::run(const Options& options) {
    const std::string name = options.name.empty() ? name_from_command(options.command[0]) : options.name;
    if (options.dry_run) {
        std::printf("would run %s in %s\n", printable(options.command[0]).c_str(), printable(placement_.describe(name)).c_str());
        return 0;
    }
    auto placed = placement_.contribute(name, {0});
    if (placed && placed->processes.at(0).failure)
        placed = *placed->processes[0].failure;
    if (!placed) {
        log_.error(placed.error().message());
        return exit_own_error;
    }
    for (const std::string& warning : placed->warnings)
        log_.warning(warning);
    const auto self = root_.subdir("proc/self");
    if (const auto raised = self ? raise_oom_score(*self) : Result<void>(self.error()); !raised)
        log_.warning(raised.error().message() + not_the_first);
    // Without tmmd only the name is lost, so a failure is no error and no message by default.
    const auto registered = register_contribution(name);
    if (options.verbose && registered)
        log_.info("tmmd knows this contribution as '" + name + "'");
    else if (options.verbose)
        log_.info("tmmd does not know this contribution by its name: " + registered.error().message());
    const char* const inherited = std::getenv("MEMORY_PRESSURE_WATCH");
    if (const auto file = pressure_file(root_, inherited ? std::optional<std::string>(inherited) : std::nullopt)) {
        ::setenv("MEMORY_PRESSURE_WATCH", file->c_str(), 1);
        ::setenv("MEMORY_PRESSURE_WRITE", pressure_write, 1);
    }
    ::execvp(options.command[0], options.command);
    const Error error = Error::from_errno(errno, options.command[0]);
    log_.error(error.message());
    return error.code() == ENOENT ? exit_not_found : exit_cannot_run;
}

std::vector<Candidate> Launcher::opaque_candidates(const std::vector<pid_t>& pids, bool& failed) const {
    std::vector<Candidate> candidates;
    const auto mount = find_cgroup_mount(root_);
    for (const pid_t pid : pids) {
        auto candidate = find_candidate(root_, pid, ::geteuid());
        if (!candidate) {
            log_.error(candidate.error().message());
            failed = true;
        } else if (mount && is_transparent(root_, *mount, candidate->info.cgroup)) {
            log_.info("process " + describe(*candidate) + " is a contribution already");
        } else {
            candidates.push_back(std::move(*candidate));
        }
    }
    return candidates;
}

std::optional<RootDir> Launcher::moved_process(const PlacementResult& placed, const std::vector<Candidate>& candidates,
                                               std::size_t number) const {
    if (placed.processes.at(number).failure)
        return std::nullopt;
    auto process = root_.subdir("proc/" + std::to_string(candidates.at(number).pid));
    // Still alive, it is the process of the directory, which follows no later one with the same id.
    if (!process || !candidates[number].is_alive())
        return std::nullopt;
    return *std::move(process);
}

int Launcher::report(const PlacementResult& placed, const std::vector<Candidate>& candidates, const std::string& done,
                     bool failed) const {
    for (const std::string& warning : placed.warnings)
        log_.warning(warning);
    for (std::size_t i = 0; i < placed.processes.size(); ++i) {
        const MoveResult& moved = placed.processes[i];
        const Candidate& candidate = candidates.at(i);
        if (moved.failure || !candidate.is_alive()) {
            log_.error(moved.failure ? moved.failure->message() : "process " + describe(candidate) + " ended meanwhile");
            failed = true;
            continue;
        }
        const std::string bytes = format_bytes(candidate.info.status.resident_bytes);
        std::string message = "memory that process ";
        message.append(describe(candidate)).append(" already uses (").append(bytes).append(") ").append(done);
        log_.info(message);
    }
    return failed ? exit_own_error : 0;
}

int Launcher::mark(const Options& options) {
    bool failed = false;
    const auto candidates = opaque_candidates(options.pids, failed);
    if (candidates.empty())
        return failed ? exit_own_error : 0;
    const std::string name = options.name.empty() ? name_from_command(candidates[0].info.stat.comm) : options.name;
    if (options.dry_run) {
        for (const Candidate& candidate : candidates)
            std::printf("would move process %s to %s\n", describe(candidate).c_str(),
                        printable(placement_.describe(name)).c_str());
        return failed ? exit_own_error : 0;
    }
    const auto placed = placement_.contribute(name, pids_of(candidates));
    if (!placed) {
        log_.error(placed.error().message());
        return exit_own_error;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto process = moved_process(*placed, candidates, i);
        const auto raised = process ? raise_oom_score(*process) : Result<void>();
        if (!raised && raised.error().code() != ESRCH)
            log_.warning(raised.error().message() + not_the_first);
    }
    return report(*placed, candidates, "stays with the owner; it contributes only new memory", failed);
}

int Launcher::list() {
    const auto contributions = placement_.list();
    if (!contributions) {
        log_.error(contributions.error().message());
        return exit_own_error;
    }
    const std::string table = format_list(*contributions);
    if (std::fwrite(table.data(), 1, table.size(), stdout) != table.size() || std::fflush(stdout) != 0) {
        log_.error(Error::from_errno(errno, "standard output").message());
        return exit_own_error;
    }
    return 0;
}

int Launcher::release(const Options& options) {
    const auto contributions = placement_.list();
    if (!contributions) {
        log_.error(contributions.error().message());
        return exit_own_error;
    }
    bool failed = false;
    for (const std::string& target : options.targets) {
        const auto pids = find_target(*contributions, target);
        if (!pids) {
            log_.error(pids.error().message());
            failed = true;
            continue;
        }
        std::vector<Candidate> candidates;
        for (const pid_t pid : *pids) {
            auto candidate = find_candidate(root_, pid, ::geteuid());
            // A short-lived child of a contribution may have ended by now.
            if (!candidate && candidate.error().code() == ESRCH)
                continue;
            if (!candidate) {
                log_.error(candidate.error().message());
                failed = true;
                continue;
            }
            candidates.push_back(std::move(*candidate));
        }
        if (candidates.empty())
            continue;
        if (options.dry_run) {
            for (const Candidate& candidate : candidates)
                std::printf("would make process %s ordinary again\n", describe(candidate).c_str());
            continue;
        }
        const std::string name = parse_pid(target) ? name_from_command(candidates[0].info.stat.comm) : target;
        const auto placed = placement_.release(name, pids_of(candidates));
        if (!placed) {
            log_.error(placed.error().message());
            failed = true;
            continue;
        }
        const auto self = root_.subdir("proc/self");
        for (std::size_t i = 0; self && i < candidates.size(); ++i) {
            const auto process = moved_process(*placed, candidates, i);
            const auto lowered = process ? lower_oom_score(*process, *self) : Result<void>();
            if (!lowered && lowered.error().code() != ESRCH)
                log_.warning(lowered.error().message() + "; if memory runs out, the kernel still kills this process first");
        }
        const char* const done = "stays charged where it was until it is freed; new memory is ordinary";
        failed = report(*placed, candidates, done, false) != 0 || failed;
    }
    return failed ? exit_own_error : 0;
}

}  // namespace tmm
