// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TmmDevice: scans through /dev/tmm, and keeps the limits in force while it is open. Closing it, even by a crash, restores the
// kernel's defaults: opaque memory unlimited, transparent memory evicted first. Called from one thread.
#pragma once

#include <functional>
#include <vector>

#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/os/sources/frames/frame_scanner.hpp"

struct tmm_scan;  // <linux/tmm.h>, which is not in the include path of all that include this

namespace tmm::os {

// Scans all frames in as many calls as it takes. `call` performs TMM_SCAN and returns the ioctl's result, with errno. A call ends
// early when its buffer is full or a signal arrives. Error: that of a call.
Result<std::vector<std::uint64_t>> scan_all(const std::function<int(tmm_scan&)>& call, std::uint32_t shift, std::uint64_t seed);

class TmmDevice : public FrameScanner {
public:
    // Error: no such device (the kernel lacks the patches), no CAP_SYS_ADMIN, another process has it open.
    static Result<TmmDevice> open(const RootDir& root);

    Result<std::vector<std::uint64_t>> scan(std::uint32_t shift, std::uint64_t seed) override;
    Result<RefaultCounts> poll_refaults(std::size_t nr_units) override;
    [[nodiscard]] std::string_view id() const override { return "tmm"; }
    [[nodiscard]] std::string_view name() const override { return "/dev/tmm"; }
    [[nodiscard]] std::string_view reason() const override { return "the kernel has the TMM patches"; }

private:
    explicit TmmDevice(UniqueFd fd) : fd_(std::move(fd)) {}

    UniqueFd fd_;
    std::vector<std::uint64_t> refaults_;  // kept: a new one each second would have to be cleared
};

}  // namespace tmm::os
