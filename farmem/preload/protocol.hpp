// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// How a hand, the part of far memory inside a program, and the pager talk: messages over a Unix socket (SOCK_SEQPACKET), and
// memory that both have mapped. The hand connects:
//
//     hand:  hello                       TMM_FAR=SOCKET:NAME in its environment says where, and which program it belongs to
//     pager: welcome + block, slots, and /dev/userfaultfd (or the userfaultfd of a forked child)
//     hand:  ready + userfaultfd         without it, a forked child
//     pager: go
//
// Then it sends size and present as it finds memory, and done for each batch. An end of the socket on either side is the end of
// the other. Once the pager says that a page is lost, the hand ends its process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tmm::far {

inline constexpr std::size_t hand_page_bytes = 4096;
inline constexpr std::uint32_t protocol_version = 4;
inline constexpr std::size_t max_name = 64;
inline constexpr std::uint32_t batch_orders = 64;
inline constexpr std::uint32_t nr_batches = 2;

enum class MessageKind : std::uint32_t {
    hello = 1,
    welcome,
    ready,
    go,
    size,
    present,
    done,
    evict,
    register_areas,
    forget,
    lost
};

struct HandRange {
    std::uint64_t first;  // addresses
    std::uint64_t last;
};

// Of any kind; what a kind does not use is 0.
struct HandMessage {
    static constexpr std::uint32_t max_ranges = 128;

    MessageKind kind;
    std::uint32_t count;  // present, forget: ranges. done, evict: which batch. hello: protocol_version
    // hello: of a forked child, what its beacon says, else 0. welcome: bytes of slots. ready: address of the page by whose fault
    // a child learns its space. size: resident anonymous pages. present: the block's nr_moves before the hand looked.
    std::uint64_t number;
    union {
        char name[max_name];  // hello
        HandRange ranges[max_ranges];
    };
};
inline constexpr std::size_t message_header_bytes = offsetof(HandMessage, name);
inline constexpr std::size_t short_message_bytes = message_header_bytes + max_name;

// Each order of a batch. The pager clears the address to cancel it: a mapping that was there is gone.
struct HandOrder {
    std::atomic<std::uint64_t> address;
    std::uint32_t slot;
    std::uint32_t outcome;  // an Outcome
};

struct HandBatch {
    std::uint32_t count;
    std::array<HandOrder, batch_orders> orders;
};

// What the program says of its pages: objects at one address refer to objects at another. Its threads write, one at a time; the
// pager reads what it finds when it answers faults.
struct HandEdge {
    std::uint64_t from;
    std::uint64_t to;
};
struct HandHints {
    std::atomic<std::uint32_t> is_locked;
    std::atomic<std::uint32_t> written;  // so many so far, modulo 2^32
    std::atomic<std::uint32_t> read;
    std::array<HandEdge, 8192> edges;
};

// The memory of one hand, all of it: it takes no other that could be far itself.
struct HandBlock {
    // One at a time: the hand takes pages, or the pager reads events and cancels orders. Else the hand could take a page from a
    // mapping that is new at an old address. Each sets its own flag, then looks at the other's; the hand gives way.
    std::atomic<std::uint32_t> hand_moves;
    std::atomic<std::uint32_t> pager_reads;
    std::atomic<std::uint32_t> thread;  // the hand's, as the kernel names it in faults
    // How often the program moved pages, as far as the pager knows.
    std::atomic<std::uint32_t> nr_moves;
    std::array<HandBatch, nr_batches> batches;
    HandHints hints;
    // The rest is the hand's alone.
    std::array<HandRange, 4096> areas;
    std::uint32_t nr_areas;
    HandMessage message;
    std::array<char, 64 << 10> text;
    std::array<unsigned char, 4096> resident;
    alignas(64) std::array<char, 64 << 10> stack;
};

}  // namespace tmm::far
