// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Userfault: the userfaultfd(2) of another process, with calls that only read and fill. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "farmem/uffd/abi.hpp"

namespace tmm::far {

// there: the process has the page now, or had it. again: events are to be read first. gone: no memory is there. dead: no process.
enum class Filled { there, again, gone, dead };

class Userfault {
public:
    // What the file /dev/userfaultfd is needed for, and the kernel: Linux 6.8. Error: says what is missing.
    static Result<void> check(int device);

    // fd: of a process that has not used it yet (after USERFAULTFD_IOC_NEW). Error: EPERM, without CAP_SYS_PTRACE.
    static Result<Userfault> begin(UniqueFd fd);
    // fd: of a child, which came with the event of a fork.
    explicit Userfault(UniqueFd fd) : fd_(std::move(fd)) {}

    // Fills one page, and wakes who waits for it.
    [[nodiscard]] Filled copy(std::uint64_t address, const void* page) const;
    // Fills pages with zeros. nr_filled: how many from the first, which decides the result.
    [[nodiscard]] Filled zero(std::uint64_t address, std::size_t nr_pages, std::size_t& nr_filled) const;
    void wake(std::uint64_t address) const;
    // Lets everybody who waits try again, which gives a new message.
    void wake_all() const;
    // Whoever touches the page gets SIGBUS.
    void poison(std::uint64_t address) const;
    [[nodiscard]] bool is_alive() const;

    // Reads what happened, at most as many as messages has room for; does not wait.
    [[nodiscard]] std::size_t read(std::span<uffd_msg> messages) const;

    [[nodiscard]] int fd() const { return fd_.get(); }

private:
    UniqueFd fd_;
};

}  // namespace tmm::far
