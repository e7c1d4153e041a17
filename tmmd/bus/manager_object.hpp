// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ManagerObject: the daemon on the bus, dbus/org.transparentmemory.Tmm1.xml, with its contributions. For the sources of bus/
// only; called from one thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tmmd/bus/contribution_object.hpp"
#include "tmmd/bus/manager_adaptor.h"  // generated
#include "tmmd/bus/untrusted.hpp"

namespace tmm::bus {

class ManagerObject final : public sdbus::AdaptorInterfaces<org::transparentmemory::Tmm1_adaptor> {
public:
    explicit ManagerObject(const Context& context);
    ManagerObject(const ManagerObject&) = delete;
    ManagerObject& operator=(const ManagerObject&) = delete;
    ~ManagerObject() { unregisterAdaptor(); }

    // Reads the model again: the values that readers of properties get, and the contributions.
    void refresh();
    // Signals the changes that a person could see. Returns whether there were any.
    bool publish();

    void notice(const std::string& kind, const std::string& text) { emitNotice(kind, text); }

private:
    using HistoryRows = std::vector<sdbus::Struct<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                                  std::uint64_t, std::uint64_t, double, std::uint64_t>>;
    using Decisions = std::vector<sdbus::Struct<std::uint64_t, std::uint64_t, std::uint32_t, std::string, std::string>>;
    using Variants = std::map<std::string, sdbus::Variant>;
    using ListedDecisions =
        std::vector<sdbus::Struct<std::uint64_t, std::uint64_t, std::uint32_t, std::string, std::string, std::string, Variants>>;
    using SoftHeaps = std::vector<
        sdbus::Struct<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t, double, double, double, double>>;
    using SoftShares = sdbus::Struct<std::uint64_t, std::vector<sdbus::Struct<std::uint32_t, std::uint32_t>>>;
    using Listing = std::vector<
        sdbus::Struct<sdbus::ObjectPath, std::string, std::uint32_t, std::uint64_t, std::string, std::uint32_t, std::uint64_t>>;

    void refresh_contributions();
    // Applies the command once polkit allows the action.
    void apply_command(sdbus::Result<>&& result, const char* action, const core::OwnerCommand& command);
    [[nodiscard]] Listing listing(uid_t user, bool see_all) const;

    void Pause(sdbus::Result<>&& result, std::uint64_t seconds) override;
    void Resume(sdbus::Result<>&& result) override;
    void SetOn(sdbus::Result<>&& result, bool on) override;
    void SetCaps(sdbus::Result<>&& result, CapsArgument caps) override;
    HistoryRows GetHistory(const WordArgument& resolution) override;
    Decisions GetDecisions(const std::uint32_t& max) override;
    ListedDecisions ListDecisions(const std::uint32_t& max) override;
    SoftHeaps GetSoftHeaps() override;
    SoftShares GetSoftShares() override;
    void SetSoftCap(sdbus::Result<>&& result, std::uint64_t bytes) override;
    void SetSoftWeight(sdbus::Result<>&& result, std::uint32_t user, std::uint32_t weight) override;
    void ListContributions(sdbus::Result<Listing>&& result) override;
    void RegisterContribution(sdbus::Result<sdbus::ObjectPath>&& result, NameArgument name) override;

    std::string Version() override { return now_.version; }
    std::string State() override { return now_.state; }
    std::string Reason() override { return now_.reason; }
    std::string ReasonCode() override { return now_.reason_code; }
    Variants ReasonValues() override;
    std::uint64_t PausedUntil() override { return now_.paused_until_us; }
    std::uint64_t TotalBytes() override { return now_.total_bytes; }
    std::uint64_t OpaqueBytes() override { return now_.opaque_bytes; }
    std::uint64_t TransparentBytes() override { return now_.transparent_bytes; }
    std::uint64_t FreeBytes() override { return now_.free_bytes; }
    std::uint64_t SoftBytes() override { return now_.soft_bytes; }
    std::uint64_t OpaqueLimitBytes() override { return now_.opaque_limit_bytes; }
    std::uint64_t TransparentLimitBytes() override { return now_.transparent_limit_bytes; }
    double ExpectedSlowdown() override { return now_.expected_slowdown; }
    double MeasuredStall() override { return now_.measured_stall; }
    std::uint64_t LastReturnFaults() override { return now_.last_return_faults; }
    bool OwnerDecided() override { return now_.owner_decided; }
    Variants Caps() override;
    std::string Source() override { return now_.source; }
    std::string SourceReason() override { return now_.source_reason; }
    std::vector<sdbus::ObjectPath> Contributions() override;
    double GivenByteSeconds() override { return now_.given_byte_seconds; }

    const Context& context_;
    wire::Status now_;
    wire::Status published_;
    std::vector<Contribution> known_;  // as of the last refresh, so that calls cost nothing
    std::map<ContributionId, std::unique_ptr<ContributionObject>> contributions_;
    std::vector<sdbus::ObjectPath> published_paths_;
};

}  // namespace tmm::bus
