// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// HelperStarter: a process that starts helpers when tmmd asks for them. It keeps the capabilities which helpers need and tmmd
// gives up, so tmmd can replace a helper that has ended. It reads nothing but these requests. Its helpers end with it, and it
// ends with tmmd. Called from one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/helper/helper_process.hpp"

namespace tmm::os {

class HelperStarter {
public:
    // tmmd stands still for as long as it waits for a new helper.
    static constexpr std::chrono::milliseconds default_wait{5000};

    // Starts it, for helpers that do one of these works. Error: as of HelperProcess::start(), but for capabilities.
    static Result<std::shared_ptr<HelperStarter>> start(const RootDir& root, std::vector<HelperProcess::Work> works);

    explicit HelperStarter(std::unique_ptr<HelperProcess> process, std::chrono::milliseconds wait = default_wait)
        : process_(std::move(process)), wait_(wait) {}

    // Returns a new helper for the work of this name. Error: EPERM, there was never the capability for it; EPIPE, this starter
    // has ended; ETIMEDOUT.
    Result<std::unique_ptr<HelperProcess>> start_helper(const std::string& name);

    [[nodiscard]] pid_t pid() const { return process_->pid(); }

private:
    std::unique_ptr<HelperProcess> process_;
    std::chrono::milliseconds wait_;
    std::uint64_t number_ = 0;  // of the latest request
};

}  // namespace tmm::os
