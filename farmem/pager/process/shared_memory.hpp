// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SharedMemory: memory without a name (memfd_create(2)) that a process with the descriptor maps, too. Starts as zeros.
#pragma once

#include <cstddef>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace tmm::far {

class SharedMemory {
public:
    static Result<SharedMemory> make(const char* name, std::size_t bytes);

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    [[nodiscard]] char* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return bytes_; }
    [[nodiscard]] int fd() const { return fd_.get(); }

private:
    SharedMemory(UniqueFd fd, char* data, std::size_t bytes) : fd_(std::move(fd)), data_(data), bytes_(bytes) {}

    UniqueFd fd_;
    char* data_;
    std::size_t bytes_;
};

}  // namespace tmm::far
