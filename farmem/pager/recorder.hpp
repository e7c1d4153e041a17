// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recorder: writes a program's faults to a file, as farmem/recording describes it. An area is a GiB of one space. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "base/result.hpp"
#include "farmem/core/page.hpp"
#include "farmem/core/time.hpp"
#include "farmem/recording/recording.hpp"

namespace tmm::far {

class Recorder {
public:
    // secret: of the areas' names.
    static Result<Recorder> create(const std::string& path, std::uint64_t secret);

    void add(SpaceId space, PageNumber page, std::uint32_t thread, FaultKind kind, TimePoint since, TimePoint until);

private:
    Recorder(std::ofstream file, std::uint64_t secret) : file_(std::move(file)), secret_(secret) {}

    std::ofstream file_;
    std::uint64_t secret_;
    std::map<std::uint32_t, std::uint16_t> threads_;
    TimePoint start_{};
    std::uint64_t last_us_ = 0;
};

}  // namespace tmm::far
