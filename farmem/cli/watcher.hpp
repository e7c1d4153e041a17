// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Watcher: measures a running process and its descendants by /proc, for "tmm-far advise". It changes nothing in them. Processes
// that end meanwhile, or that this user may not read, are left out. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/root_dir.hpp"
#include "farmem/cli/advice.hpp"

namespace tmm::far {

class Watcher {
public:
    // proc: "/proc".
    Watcher(RootDir proc, pid_t first) : proc_(std::move(proc)), first_(first) {}

    // Looks once. Pages are sampled again each time that memory grew by an eighth.
    void look();
    [[nodiscard]] const Watched& watched() const { return watched_; }

private:
    [[nodiscard]] std::uint64_t add_up(const std::string& pid, std::string& all) const;
    void sample(const std::string& pid, double& sum, std::uint64_t& count) const;

    RootDir proc_;
    pid_t first_;
    Watched watched_;
    std::uint64_t sampled_bytes_ = 0;
};

}  // namespace tmm::far
