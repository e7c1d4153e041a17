// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Daemon: does the work of one tick. It reads the machine once, has core::Tick decide, applies all that is wanted once, and
// publishes. Between two ticks, an alarm of the kernel or a command of the owner gets a step of its own. When an adapter fails,
// the owner's settings stay in force. It has neither clock nor event loop: main() calls it. Not thread-safe.
#pragma once

#include <poll.h>

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/contributions/contribution_keeper.hpp"
#include "tmmd/app/kernel/kernel.hpp"
#include "tmmd/app/learned_state.hpp"
#include "tmmd/app/outputs.hpp"
#include "tmmd/app/owner/owner_settings.hpp"
#include "tmmd/app/reporting/notices.hpp"
#include "tmmd/app/reporting/publisher.hpp"
#include "tmmd/app/reporting/usage_recorder.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/tick/tick.hpp"
#include "tmmd/os/reading/machine_reader.hpp"
#include "tmmd/soft/soft_server.hpp"

namespace tmm::app {

class Daemon {
public:
    // installed: memory of the machine. root and log must outlive the daemon. dry_run: write no limit, mark no cgroup, save
    // nothing.
    Daemon(const config::Config& config, const RootDir& root, const Log& log, const AdapterFactory& adapters,
           core::Pages installed, bool dry_run, Outputs outputs);

    // Restores the owner's settings, the history and the learned state, and opens the adapters. A saved state that cannot be used
    // is no error. Error: an adapter cannot be opened, so tmmd cannot work on this machine now.
    Result<void> start(const core::Moment& now);

    // Has it divide soft memory among the programs at this socket.
    void serve_soft(soft::SoftServer server) { soft_ = std::move(server); }

    // Call it every config.tick(). It logs a problem when it begins and when it ends. Returns the policy's decision; nothing
    // while an adapter is broken or when no decision was due.
    std::optional<core::Decision> tick(const core::Moment& now);

    // The files to poll(2) until the next tick.
    [[nodiscard]] std::vector<pollfd> alarm_files() const { return reader_.alarm().files(); }
    // Call it if one of them is ready, with the reports of poll(2): freezes contributions if opaque tasks wait for memory.
    void take_alarm(std::span<const pollfd> reports, const core::Moment& now);

    // Saves the learned state and the history. The daemon can go on.
    void save_state();

    // Thaws the held contributions, because the daemon ends.
    void release_all() { keeper_.contributions().release_all(); }

    void set_config(const config::Config& config);

    // Applies the command before it returns. Error: the command is in force, but could not be saved.
    Result<void> apply_command(const core::OwnerCommand& command, const core::Moment& now);

    // What desktops say of the people here; it counts from the next tick on.
    void see_sessions(const core::DesktopSessions& sessions, const core::Moment& now) {
        reader_.see_sessions(sessions, now.elapsed);
    }

    // The state, for the bus and other readers.
    [[nodiscard]] Condition condition() const;
    [[nodiscard]] const core::Tick& decided() const { return tick_; }
    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    [[nodiscard]] const UsageRecorder& usage() const { return usage_recorder_; }
    [[nodiscard]] const core::GivingParameters& administrators() const { return config_.giving; }
    // Returns whether the owner has ever given a command, also before a restart.
    [[nodiscard]] bool owner_decided() const { return owner_.decided(); }

    [[nodiscard]] std::vector<soft::SoftServer::Peer> soft_peers() const {
        return soft_ ? soft_->peers() : std::vector<soft::SoftServer::Peer>();
    }

    // As of the last discovery.
    [[nodiscard]] Contributions& contributions() { return keeper_.contributions(); }
    void discover_contributions() { keeper_.discover(); }

private:
    [[nodiscard]] os::Surroundings surroundings(const core::Moment& now, bool alarm) const;
    [[nodiscard]] Result<core::Reading> read_second(const core::Moment& now);
    const core::Wanted& step(const core::Reading& reading);
    Result<void> apply(const core::Wanted& wanted);
    void settle(const core::Moment& now, bool alarm);
    void watch_stalls();
    void change_rate(int change);
    void publish(const core::Wanted& wanted, const core::Reading& reading);
    [[nodiscard]] std::optional<core::Usage> usage_in_force() const;

    const RootDir& root_;
    const Log& log_;
    bool dry_run_;
    config::Config config_;
    core::Tick tick_;
    std::optional<soft::SoftServer> soft_;
    os::MachineReader reader_;
    Kernel kernel_;
    ContributionKeeper keeper_;
    OwnerSettings owner_;
    LearnedState learned_;
    UsageRecorder usage_recorder_;
    Publisher publisher_;
    std::array<ProblemLog, os::MachineReader::nr_parts> unread_;  // by MachineReader::Part
    ProblemLog alarm_problem_;
    bool watched_ = false;  // stalls, with the parameters in force
};

}  // namespace tmm::app
