// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KeptHelper: tmmd's end of a helper that is replaced once it has ended. A helper may know something from its last order, so the
// caller says when a new one may take its place. Called from one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "tmmd/os/helper/helper_process.hpp"

namespace tmm::os {

class KeptHelper {
public:
    using Start = std::function<Result<std::unique_ptr<HelperProcess>>()>;

    // A helper that ends at each order would be started for ever: after so many in a row that ended without any message.
    static constexpr int max_vain_starts = 5;

    // Starts the first. name: of the helper, in errors. Error: of start().
    static Result<KeptHelper> begin(std::string name, Start start);

    // Replaces a helper that has ended. Error: EPIPE, too many ended without a message; of start().
    Result<void> replace_if_ended();
    // Error: EPIPE, it has ended; as of send_message().
    Result<void> send(std::string_view message);
    // As receive_message(). Error: EPIPE, it has ended.
    Result<std::optional<std::string>> receive(std::chrono::milliseconds wait);

    // Returns whether it has ended, noticed or not. Does not wait.
    [[nodiscard]] bool has_ended() const;
    // Whether its end was not noticed yet.
    [[nodiscard]] bool runs() const { return process_ != nullptr; }
    // Call it while it runs.
    [[nodiscard]] pid_t pid() const { return process_->pid(); }

private:
    KeptHelper(std::string name, Start start, std::unique_ptr<HelperProcess> process)
        : name_(std::move(name)), start_(std::move(start)), process_(std::move(process)) {}
    // Notes the end, if the error tells of it, and explains it.
    Error noted(Error error);
    [[nodiscard]] Error end() const;

    std::string name_;
    Start start_;
    std::unique_ptr<HelperProcess> process_;  // none: it has ended
    int vain_starts_ = 1;                     // since the last message
};

}  // namespace tmm::os
