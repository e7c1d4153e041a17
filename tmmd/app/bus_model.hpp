// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BusModel: converts the daemon's state to the units of the bus, and decides which user may register which contribution. Called
// from one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/app/daemon.hpp"
#include "tmmd/bus/model.hpp"

namespace tmm::app {

class BusModel : public bus::Model {
public:
    // daemon and root must outlive this object. clocks: reads the clocks.
    BusModel(Daemon& daemon, const RootDir& root, std::function<core::Moment()> clocks)
        : daemon_(daemon), root_(root), clocks_(std::move(clocks)) {}

    wire::Status status() override;
    std::vector<wire::HistoryRow> history(bus::Resolution resolution) override;
    std::vector<wire::Decision> decisions(std::size_t max) override;

    std::vector<wire::SoftHeap> soft_heaps() override;
    wire::SoftShares soft_shares() override;

    Result<void> apply_command(const core::OwnerCommand& command) override;

    std::vector<bus::Contribution> contributions() override;
    Result<bus::ContributionPids> pids(bus::ContributionId id) override;
    Result<void> steer(bus::ContributionId id, bus::Steering what) override;
    Result<void> set_weight(bus::ContributionId id, std::uint32_t weight) override;
    Result<bus::ContributionId> register_contribution(pid_t pid, uid_t user, const std::string& name) override;
    void see_sessions(const core::DesktopSessions& sessions) override { daemon_.see_sessions(sessions, clocks_()); }

private:
    Daemon& daemon_;
    const RootDir& root_;
    std::function<core::Moment()> clocks_;
};

// Returns the daemon's state in the units of the bus.
wire::Status status_of(const Daemon& daemon, const core::Moment& now);

// Returns the quantities of a reason as the property ReasonValues has them. page_bytes: the size of a base page, above 0.
wire::Values values_of(const core::Reason& reason, Bytes page_bytes);

// Returns the stricter of the owner's and the administrator's caps.
wire::Caps caps_in_force(const core::Caps& owner, const core::Caps& administrator);

}  // namespace tmm::app
