// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Service of a tmmd that was built without sdbus-c++. It never connects.
#include "tmmd/bus/service.hpp"

namespace tmm::bus {

class Service::Impl {};

Service::Service(std::string address, Model& /*model*/, const Log& log) {
    log.warning("built without D-Bus: " + address + " is not used");
}

Service::~Service() = default;

bool Service::connected() const {
    return false;
}

PollRequest Service::poll_request(core::AwakeTime /*now*/) const {
    return {};
}

void Service::process(core::AwakeTime /*now*/) {}

void Service::update(core::AwakeTime /*now*/) {}

void Service::notice(const std::string& /*kind*/, const std::string& /*text*/, core::AwakeTime /*now*/) {}

}  // namespace tmm::bus
