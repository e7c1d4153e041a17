// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/seen_memories.hpp"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstddef>

namespace tmm::os {

namespace {

MemoryOrder know_nothing(pid_t, pid_t) {
    return MemoryOrder::unknown;
}

MemoryOrder ask_kernel(pid_t one, pid_t other) {
    switch (::syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0)) {
        case 0:
            return MemoryOrder::same;
        case 1:
            return MemoryOrder::before;
        case 2:
            return MemoryOrder::after;
        default:
            return MemoryOrder::unknown;
    }
}

}  // namespace

CompareMemories compare_memories(const RootDir& root) {
    const auto proc = root.open_file("proc", O_RDONLY | O_DIRECTORY);
    struct statfs status {};
    const bool is_real = proc && ::fstatfs(proc->get(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
    return is_real ? ask_kernel : know_nothing;
}

bool SeenMemories::add(uid_t user, pid_t process) {
    std::vector<pid_t>& seen = seen_[user];
    std::size_t low = 0;
    std::size_t high = seen.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        switch (compare_(process, seen[middle])) {
            case MemoryOrder::same:
                return false;
            case MemoryOrder::before:
                high = middle;
                break;
            case MemoryOrder::after:
                low = middle + 1;
                break;
            case MemoryOrder::unknown:
                if (compare_(seen[middle], seen[middle]) == MemoryOrder::same)
                    return true;
                seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(middle));
                --high;
                break;
        }
    }
    seen.insert(seen.begin() + static_cast<std::ptrdiff_t>(low), process);
    return true;
}

}  // namespace tmm::os
