// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Device: /dev/userfaultfd, and what else needs root: done by this process if it may, else by tmm-far-helper. Not thread-safe.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "farmem/uffd/userfault.hpp"

namespace tmm::far {

class Device {
public:
    // helper: path of tmm-far-helper's socket.
    explicit Device(std::string helper) : helper_(std::move(helper)) {}

    // Opens the device unless it is open, and checks the kernel. Error: says what is missing, and what to do.
    Result<void> open();
    [[nodiscard]] int fd() const { return fd_.get(); }

    // As Userfault::begin().
    Result<Userfault> begin(UniqueFd fd) const;

private:
    std::string helper_;
    UniqueFd fd_;
};

}  // namespace tmm::far
