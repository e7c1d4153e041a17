// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwapReader: reads evicted memory back in the background. A helper process does it. It has CAP_SYS_PTRACE and CAP_SYS_NICE,
// by which the memory of other processes can be seen and fetched (docs/decisions/2026-11-24-a-return-reads-back.md).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/giving/read_back_rule.hpp"
#include "tmmd/os/helper/helper_process.hpp"
#include "tmmd/os/helper/kept_helper.hpp"

namespace tmm::os {

class SwapReader {
public:
    virtual ~SwapReader() = default;

    // Begins an order, which replaces the one under way. Returns at once. Error: there is no helper (any more).
    virtual Result<void> begin(const std::vector<core::ReadBackShare>& shares) = 0;
    // Ends the order under way. Returns at once.
    virtual void stop() = 0;

    struct Report {
        core::Pages read{0};  // by the order that has ended
        std::string problem;  // empty: none
    };
    // Returns the report of an order that has ended since the last call. An order that was stopped or replaced has none.
    virtual std::optional<Report> take_report() = 0;
};

// The messages between the two: orders one way, reports of their end the other. A number connects them.
struct ReadBackOrder {
    std::uint64_t number = 0;
    std::vector<core::ReadBackShare> shares;  // none: the order under way is to end

    bool operator==(const ReadBackOrder&) const = default;
};
struct ReadBackReport {
    std::uint64_t number = 0;
    core::Pages read{0};
    std::string problem;

    bool operator==(const ReadBackReport&) const = default;
};

// Convert messages to text and back. Pure. Error: EINVAL or ERANGE, a number is missing or too large.
std::string text_of(const ReadBackOrder& order);
Result<ReadBackOrder> parse_order(std::string_view text);
std::string text_of(const ReadBackReport& report);
Result<ReadBackReport> parse_report(std::string_view text);

// HelpedSwapReader: the SwapReader of tmmd. Called from one thread.
class HelpedSwapReader final : public SwapReader {
public:
    // The helper's work.
    static HelperProcess::Work work();
    // Starts the helper. Each order replaces one that has ended. Error: of start.
    static Result<std::unique_ptr<HelpedSwapReader>> begin_with(KeptHelper::Start start);

    explicit HelpedSwapReader(KeptHelper process) : process_(std::move(process)) {}

    Result<void> begin(const std::vector<core::ReadBackShare>& shares) override;
    void stop() override;
    std::optional<Report> take_report() override;
    // Call it while the helper runs.
    [[nodiscard]] pid_t pid() const { return process_.pid(); }

private:
    Result<void> send(const ReadBackOrder& order);

    KeptHelper process_;
    std::uint64_t number_ = 0;  // of the latest order
};

class PageAdviser;

// The helper's work: carries out the orders that come by the socket, until it is closed.
void serve_orders(int socket, const RootDir& root, PageAdviser& adviser);

}  // namespace tmm::os
