// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Process: what the pager has of one process: its userfaultfd, and its hand's socket and memory. Not thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "farmem/core/program.hpp"
#include "farmem/pager/process/shared_memory.hpp"
#include "farmem/preload/protocol.hpp"
#include "farmem/uffd/userfault.hpp"

namespace tmm::far {

struct HandLink {
    UniqueFd socket;
    SharedMemory memory;
    UniqueFd process;  // a pidfd: the number may be another process's by now

    [[nodiscard]] HandBlock& block() const { return *reinterpret_cast<HandBlock*>(memory.data()); }
};

struct Fault {
    std::uint64_t address = 0;
    std::uint32_t thread = 0;
    TimePoint since;
    bool is_write = false;
    bool is_seen = false;  // by the prefetcher
};

class Process {
public:
    Process(Userfault userfault, std::uint64_t beacon) : userfault(std::move(userfault)), beacon(beacon) {}

    // What happened, unless the hand is busy: then nothing is read, and `is_busy` is true.
    std::span<const uffd_msg> read(bool& is_busy);
    // Ends what read() started: the hand moves no page in between. Orders for cancelled addresses are not carried out.
    void end_read(const std::vector<HandRange>& cancelled);

    // Gives the hand a batch; there is room for it, by core's max_batches. Returns false if the hand ended, or has not read for
    // long.
    [[nodiscard]] bool send(const std::vector<Order>& orders);
    [[nodiscard]] bool send(MessageKind kind, const std::vector<HandRange>& ranges = {});
    // Ends the process.
    void kill() const;
    // Returns the hand's next message; nothing without any, and an error if the hand ended or talks nonsense.
    Result<std::optional<HandMessage>> receive();

    Userfault userfault;
    std::uint64_t beacon;
    std::optional<HandLink> hand;
    std::array<std::vector<Order>, nr_batches> batches;
    std::deque<Fault> faults;
    std::vector<HandRange> forgotten;  // that the hand has not been told
    std::uint64_t resident_pages = 0;
    bool registers = false;

private:
    std::array<uffd_msg, 64> messages_;
};

}  // namespace tmm::far
