// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionObject: one contribution on the bus, dbus/org.transparentmemory.Tmm1.Contribution1.xml. For the sources of bus/
// only; called from one thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tmmd/bus/access/access.hpp"
#include "tmmd/bus/contribution_adaptor.h"  // generated
#include "tmmd/bus/model.hpp"
#include "tmmd/bus/reply.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

sdbus::ObjectPath path_of(ContributionId id);

// What all objects share; it outlives each of them. Answers that come through access come while the manager lives, or never; a
// contribution may have ended by then.
struct Context {
    sdbus::IConnection& connection;
    Model& model;
    Access& access;
    std::function<void()> changed;  // to be called after a call has changed something; only sets a flag
};

class ContributionObject final : public sdbus::AdaptorInterfaces<org::transparentmemory::Tmm1::Contribution1_adaptor> {
public:
    ContributionObject(const Context& context, const Contribution& contribution);
    ContributionObject(const ContributionObject&) = delete;
    ContributionObject& operator=(const ContributionObject&) = delete;
    ~ContributionObject() { unregisterAdaptor(); }

    // Replaces the values that readers of properties get.
    void refresh(const Contribution& contribution) { now_ = contribution; }
    // Signals the changes that a person could see. Returns whether there were any. total_bytes: of the machine.
    bool publish(std::uint64_t total_bytes);

private:
    using Details = std::map<std::string, sdbus::Variant>;
    using Work = std::function<Result<void>(Model&, ContributionId)>;

    // Does the work once polkit allows it. The functions that run later must not use this object: it may have ended.
    void steer(sdbus::Result<>&& result, Work work);

    void GetDetails(sdbus::Result<Details>&& result) override;
    void Pause(sdbus::Result<>&& result) override;
    void Resume(sdbus::Result<>&& result) override;
    void Stop(sdbus::Result<>&& result) override;
    void SetWeight(sdbus::Result<>&& result, std::uint32_t weight) override;

    std::uint32_t User() override { return now_.user; }
    std::uint64_t MemoryBytes() override { return now_.memory_bytes; }
    std::string State() override { return now_.state; }
    std::uint32_t Weight() override { return now_.weight; }
    std::uint64_t FarBytes() override { return now_.far_bytes; }

    const Context& context_;
    Contribution now_;
    Contribution published_;
};

}  // namespace tmm::bus
