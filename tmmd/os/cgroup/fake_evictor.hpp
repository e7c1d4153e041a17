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
    // Both must outlive it. hangs: a request for a part never ends.
    explicit FakeEvictor(std::vector<std::string>& asked, const bool& hangs = never_hangs) : asked_(asked), hangs_(hangs) {}
    Result<void> evict(const std::string& cgroup) override {
        asked_.push_back("evict " + cgroup);
        return {};
    }
    Result<void> evict_part(const std::string& cgroup, Bytes bytes) override {
        asked_.push_back("evict " + std::to_string(bytes.count()) + " of " + cgroup);
        asked_for_part_ = true;
        return {};
    }
    void spare(const std::string& cgroup) override { asked_.push_back("spare " + cgroup); }
    [[nodiscard]] bool evicts_parts() const override { return hangs_ && asked_for_part_; }

private:
    static constexpr bool never_hangs = false;

    std::vector<std::string>& asked_;
    const bool& hangs_;
    bool asked_for_part_ = false;
};

}  // namespace tmm::os
