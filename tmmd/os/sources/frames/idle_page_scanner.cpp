// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/idle_page_scanner.hpp"

#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <linux/tmm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/multi_gen_lru.hpp"

namespace tmm::os {

namespace {

constexpr const char* bitmap_path = "sys/kernel/mm/page_idle/bitmap";
constexpr const char* flags_path = "proc/kpageflags";
constexpr const char* cgroups_path = "proc/kpagecgroup";

constexpr std::uint64_t pages_per_word = 64;  // of the bitmap
constexpr std::uint64_t max_order = 13;       // a huge page where pages have 64 KiB
// Contributions of a user may make cgroups without end; root has four times as many. The pages of those beyond count as opaque.
constexpr std::size_t max_inodes_per_user = 4096;

constexpr bool has(std::uint64_t flags, int bit) {
    return (flags >> bit & 1) != 0;
}

// Chooses a frame in a block (the finalizer of splitmix64).
std::uint64_t hash(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// Returns whether read(2) leaves the idle flag of a page as it is. Patch 1 has the multi-gen LRU clear it, as the classic LRU
// does.
bool misses_reads(const RootDir& root) {
    return !root.exists("sys/kernel/mm/tmm") && uses_multi_gen_lru(root);
}

using Inodes = std::unordered_set<std::uint64_t>;

void add_inodes(const OpenCgroup& cgroup, UserBudget& budget, Inodes& inodes) {
    struct stat status {};
    if (!budget.take(cgroup.user()) || ::fstat(cgroup.dir().fd(), &status) != 0)
        return;
    inodes.insert(status.st_ino);
    for (const std::string& name : cgroup.children(budget.left(cgroup.user()))) {
        if (const auto child = cgroup.child(name))
            add_inodes(*child, budget, inodes);
    }
}

// Returns the inodes of those cgroups and all below, which /proc/kpagecgroup shows.
Inodes inodes_of(const RootDir& root, const std::vector<std::string>& cgroups) {
    UserBudget budget(max_inodes_per_user, 4);
    Inodes inodes;
    for (const std::string& path : cgroups) {
        if (const auto cgroup = OpenCgroup::open(root, path, user_of(root, path)))
            add_inodes(*cgroup, budget, inodes);
    }
    return inodes;
}

}  // namespace

IdlePageScanner::IdlePageScanner(const RootDir& root, UniqueFd bitmap, UniqueFd flags, UniqueFd cgroups)
    : root_(&root),
      misses_reads_(misses_reads(root)),
      bitmap_(std::move(bitmap), root.name_of(bitmap_path)),
      flags_(std::move(flags), root.name_of(flags_path)),
      cgroups_(std::move(cgroups), root.name_of(cgroups_path)),
      counters_(root) {}

Result<IdlePageScanner> IdlePageScanner::open(const RootDir& root) {
    auto bitmap = root.open_file(bitmap_path, O_RDWR);
    if (!bitmap && bitmap.error().code() == ENOENT)
        return Error(ENODEV, bitmap.error().message() + ": the kernel was built without CONFIG_IDLE_PAGE_TRACKING");
    if (!bitmap)
        return std::move(bitmap).error();
    auto flags = root.open_file(flags_path, O_RDONLY);
    if (!flags)
        return std::move(flags).error();
    auto cgroups = root.open_file(cgroups_path, O_RDONLY);
    if (!cgroups)
        return std::move(cgroups).error();
    return IdlePageScanner(root, *std::move(bitmap), *std::move(flags), *std::move(cgroups));
}

void IdlePageScanner::Words::restart(std::size_t words_per_read) {
    words_per_read_ = words_per_read;
    words_.clear();
}

Result<std::uint64_t> IdlePageScanner::Words::at(std::uint64_t index) {
    if (index < first_ || index - first_ >= words_.size()) {
        first_ = index / words_per_read_ * words_per_read_;
        words_.resize(words_per_read_);
        const ssize_t got =
            ::pread(fd_.get(), words_.data(), words_.size() * sizeof words_[0], static_cast<off_t>(first_ * sizeof words_[0]));
        words_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)) / sizeof words_[0]);
        if (got < 0)
            return Error::from_errno(errno, name_);
    }
    if (index - first_ >= words_.size())
        return Error::from_errno(ENXIO, name_);
    return words_[index - first_];
}

Result<void> IdlePageScanner::Words::write(std::uint64_t index, std::uint64_t word) {
    if (::pwrite(fd_.get(), &word, sizeof word, static_cast<off_t>(index * sizeof word)) < 0)
        return Error::from_errno(errno, name_);
    return {};
}

// Returns the first frame of the folio that a tail page belongs to. Folios are aligned to their size.
Result<std::uint64_t> IdlePageScanner::head_of(std::uint64_t pfn) {
    for (std::uint64_t order = 1; order <= max_order; ++order) {
        const std::uint64_t head = pfn >> order << order;
        const auto flags = flags_.at(head);
        if (!flags)
            return flags.error();
        if (has(*flags, KPF_COMPOUND_HEAD))
            return head;
    }
    return pfn;
}

Result<std::uint64_t> IdlePageScanner::order_of(std::uint64_t head) {
    for (std::uint64_t order = 0; order < max_order; ++order) {
        const auto flags = flags_.at(head + (std::uint64_t{1} << order));
        if (!flags && flags.error().code() != ENXIO)
            return flags.error();
        if (!flags || !has(*flags, KPF_COMPOUND_TAIL))
            return order;
    }
    return max_order;
}

// Returns whether the page was used since its last call, and notes that it is to be marked idle.
Result<bool> IdlePageScanner::take_reference(std::uint64_t pfn) {
    const std::uint64_t index = pfn / pages_per_word;
    if (index != marked_index_) {
        auto done = mark_idle();
        if (!done)
            return std::move(done).error();
        marked_index_ = index;
    }
    const auto idle = bitmap_.at(index);
    if (!idle)
        return idle.error();
    const std::uint64_t bit = std::uint64_t{1} << (pfn % pages_per_word);
    if ((*idle & bit) != 0)
        return false;
    marked_ |= bit;
    return true;
}

Result<void> IdlePageScanner::mark_idle() {
    const std::uint64_t pages = std::exchange(marked_, 0);
    return pages != 0 ? bitmap_.write(marked_index_, pages) : Result<void>();
}

Result<std::vector<std::uint64_t>> IdlePageScanner::scan(std::uint32_t shift, std::uint64_t seed) {
    if (misses_reads(*root_) != misses_reads_)
        return Error(ESTALE, "the kernel changed to or from the multi-gen LRU");
    const Inodes transparent = inodes_of(*root_, transparent_cgroups_);
    // Below, the frames that it skips cost more than the calls that it saves.
    const std::size_t words_per_read = shift < 4 ? 512 : 1;
    flags_.restart(words_per_read);
    cgroups_.restart(words_per_read);
    bitmap_.restart(1);
    std::vector<std::uint64_t> words;
    std::optional<std::uint64_t> last_head;
    for (std::uint64_t block = 0;; ++block) {
        std::uint64_t pfn = (block << shift) + (hash(block ^ seed) & ((std::uint64_t{1} << shift) - 1));
        auto flags = flags_.at(pfn);
        if (flags && has(*flags, KPF_COMPOUND_TAIL)) {
            const auto head = head_of(pfn);
            if (!head)
                return head.error();
            pfn = *head;
            flags = flags_.at(pfn);
        }
        if (!flags && flags.error().code() == ENXIO)
            break;
        if (!flags)
            return flags.error();
        if (has(*flags, KPF_NOPAGE) || !has(*flags, KPF_LRU) || std::exchange(last_head, pfn) == pfn)
            continue;
        const bool anonymous = has(*flags, KPF_SWAPBACKED);
        if (misses_reads_ && !anonymous && !has(*flags, KPF_MMAP))
            continue;
        const auto inode = cgroups_.at(pfn);
        if (!inode)
            return inode.error();
        const auto used = take_reference(pfn);
        if (!used)
            return used.error();
        const auto order = has(*flags, KPF_COMPOUND_HEAD) ? order_of(pfn) : Result<std::uint64_t>(std::uint64_t{0});
        if (!order)
            return order.error();
        words.push_back(pfn | (hash(*inode << 1 | (anonymous ? 1 : 0)) & 0xffff) << 36 | *order << 52 |
                        (*used ? TMM_FRAME_REF : 0) | (transparent.contains(*inode) ? TMM_FRAME_CLASS : 0) |
                        (anonymous ? 0 : TMM_FRAME_FILE) | (has(*flags, KPF_UNEVICTABLE) ? TMM_FRAME_UNEVICTABLE : 0));
    }
    auto done = mark_idle();
    if (!done)
        return std::move(done).error();
    return words;
}

Result<RefaultCounts> IdlePageScanner::poll_refaults(std::size_t) {
    return counters_.poll(transparent_cgroups_);
}

}  // namespace tmm::os
