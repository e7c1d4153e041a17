// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeHelpers: helpers without processes, for tests. The test has the other end of the socket of each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tmmd/os/helper/kept_helper.hpp"

namespace tmm::os {

class FakeHelpers {
public:
    // Must not outlive this object.
    KeptHelper begin(const std::string& name) {
        return KeptHelper::begin(name,
                                 [this]() -> Result<std::unique_ptr<HelperProcess>> {
                                     if (refusal)
                                         return *refusal;
                                     auto [tmmds, helpers] = message_sockets().value();
                                     sockets.push_back(std::move(helpers));
                                     return std::make_unique<HelperProcess>(std::move(tmmds), UniqueFd(), 0);
                                 })
            .value();
    }

    std::vector<UniqueFd> sockets;  // of all that were started
    std::optional<Error> refusal;   // of the next
};

}  // namespace tmm::os
