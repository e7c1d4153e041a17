// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Hand: the one thread of far memory inside a program. It finds large anonymous memory in /proc/self/maps, registers it with the
// userfaultfd once the pager says so, and takes pages out of it as the pager orders. It decides nothing.
//
// The program's memory may be far: a hand that touched it would wait for itself. So it has a stack in its block, never allocates,
// never throws, calls no library and has all signals blocked. Its files are its own: the program can neither see nor close them.
#pragma once

#include <cstdint>

#include "farmem/preload/protocol.hpp"

namespace tmm::far {

struct Hand {
    HandBlock* block = nullptr;
    char* slots = nullptr;     // shared with the pager
    char* staging = nullptr;   // staging_pages that pages move through
    std::uint64_t beacon = 0;  // address of a page that only forked children touch
    int socket = -1;
    int uffd = -1;
    bool is_child = false;  // of a fork: it is left alone for a while, since most end or execute something soon
};

inline constexpr std::uint64_t staging_pages = 512;

// Starts the thread. Returns whether it runs. It keeps `hand` in its block and takes hand.socket and hand.uffd along.
bool start_hand(const Hand& hand);

}  // namespace tmm::far
