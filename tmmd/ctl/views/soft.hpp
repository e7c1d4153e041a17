// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl soft. Pure.
#pragma once

#include <string>
#include <vector>

#include "tmmd/ctl/processes.hpp"
#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

// A table of the heaps, those to which more memory gains most first, and the owner's wishes. processes: for the names.
std::string format_soft(std::vector<wire::SoftHeap> heaps, const wire::SoftShares& shares, const std::vector<Process>& processes,
                        const Screen& screen);

std::string soft_json(const std::vector<wire::SoftHeap>& heaps, const wire::SoftShares& shares);

}  // namespace tmm::ctl
