// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SeenMemories: tells whether the memory of a process was seen before. A user makes any number of processes that share one
// (CLONE_VM of clone(2)), and /proc shows all of it for each. Called from one thread.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/root_dir.hpp"

namespace tmm::os {

enum class MemoryOrder { same, before, after, unknown };

// Returns how the memories of two processes are ordered, as long as both run. unknown: one has ended, or the kernel cannot tell.
using CompareMemories = std::function<MemoryOrder(pid_t, pid_t)>;

// Returns kcmp(2), or for a tree of files that is no /proc, a function that knows nothing.
CompareMemories compare_memories(const RootDir& root);

class SeenMemories {
public:
    explicit SeenMemories(CompareMemories compare) : compare_(std::move(compare)) {}

    // Returns whether no earlier process of the user has this memory, by at most 13 comparisons beside 4,096 others. A process
    // that runs another program meanwhile may have it miss that later ones of its user share their memory.
    bool add(uid_t user, pid_t process);

    void clear() { seen_.clear(); }

private:
    CompareMemories compare_;
    std::map<uid_t, std::vector<pid_t>> seen_;  // one process for each memory, in the order of compare_
};

}  // namespace tmm::os
