// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeSwapReader: records the orders for tests and reads nothing.
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tmmd/os/read_back/swap_reader.hpp"

namespace tmm::os {

class FakeSwapReader final : public SwapReader {
public:
    struct Shared {
        std::vector<std::string> asked;
        std::optional<Report> report;  // to be taken
        bool gone = false;             // the helper
    };

    // shared must outlive it.
    explicit FakeSwapReader(Shared& shared) : shared_(shared) {}
    Result<void> begin(const std::vector<core::ReadBackShare>& shares) override {
        if (shared_.gone)
            return Error(EPIPE, "no helper");
        for (const core::ReadBackShare& share : shares)
            shared_.asked.push_back("read " + std::to_string(share.pages.count()) + " of " + share.cgroup);
        return {};
    }
    void stop() override { shared_.asked.emplace_back("stop"); }
    std::optional<Report> take_report() override { return std::exchange(shared_.report, std::nullopt); }

private:
    Shared& shared_;
};

}  // namespace tmm::os
