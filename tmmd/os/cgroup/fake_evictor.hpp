// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeEvictor: records the requests for tests and evicts nothing.
#pragma once

#include <string>
#include <vector>

#include "tmmd/os/cgroup/evictor.hpp"

namespace tmm::os {

class FakeEvictor final : public Evictor {
public:
    // asked must outlive it.
    explicit FakeEvictor(std::vector<std::string>& asked) : asked_(asked) {}
    Result<void> evict(const std::string& cgroup) override {
        asked_.push_back("evict " + cgroup);
        return {};
    }
    Result<void> evict_part(const std::string& cgroup, Bytes bytes) override {
        asked_.push_back("evict " + std::to_string(bytes.count()) + " of " + cgroup);
        return {};
    }
    void spare(const std::string& cgroup) override { asked_.push_back("spare " + cgroup); }
    [[nodiscard]] bool evicts_parts() const override { return false; }

private:
    std::vector<std::string>& asked_;
};

}  // namespace tmm::os
