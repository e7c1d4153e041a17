// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// IdlePageScanner: scans frames through the idle page bitmap, which many distributions' kernels have (CONFIG_IDLE_PAGE_TRACKING;
// Documentation/admin-guide/mm/idle_page_tracking.rst). /proc/kpageflags tells the kind of a frame, /proc/kpagecgroup its cgroup.
// Called from one thread.
//
// It differs from /dev/tmm in five points. A page that both classes use belongs to the class that it is charged to. A page's
// identity is its frame and its cgroup: a frame that another page took meanwhile counts as used. The kernel does not tell how
// long a returned page was gone (RefaultCounters). The multi-gen LRU, when it reclaims, collects reference bits that this scanner
// then does not see. And without the patches it does not clear the idle flag when read(2) uses a page (folio_mark_accessed() in
// mm/swap.c), so scans then leave out files that no process maps (UnmappedFilesSource).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/os/sources/frames/frame_scanner.hpp"
#include "tmmd/os/sources/frames/refault_counters.hpp"

namespace tmm::os {

class IdlePageScanner : public FrameScanner {
public:
    // root must outlive it. Error: ENODEV, the kernel has no such bitmap; no CAP_SYS_ADMIN.
    static Result<IdlePageScanner> open(const RootDir& root);

    // Error: as of open(); ESTALE, the kernel uses another LRU than before.
    Result<std::vector<std::uint64_t>> scan(std::uint32_t shift, std::uint64_t seed) override;
    Result<RefaultCounts> poll_refaults(std::size_t nr_units) override;
    void follow(const std::vector<std::string>& transparent_cgroups) override { transparent_cgroups_ = transparent_cgroups; }
    [[nodiscard]] bool leaves_out_unmapped_files() const override { return misses_reads_; }
    [[nodiscard]] std::string_view id() const override { return "idle"; }
    [[nodiscard]] std::string_view name() const override { return "the idle page bitmap"; }
    [[nodiscard]] std::string_view reason() const override { return "the kernel has no TMM patches"; }

private:
    // Reads a file of 64-bit words, so many at once.
    class Words {
    public:
        Words(UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}
        // Forgets what it has read.
        void restart(std::size_t words_per_read);
        // Error: ENXIO beyond the end of memory.
        Result<std::uint64_t> at(std::uint64_t index);
        // Zeros leave the bits of the word as they are.
        Result<void> write(std::uint64_t index, std::uint64_t word);

    private:
        UniqueFd fd_;
        std::string name_;
        std::uint64_t first_ = 0;  // index of the first word read
        std::vector<std::uint64_t> words_;
        std::size_t words_per_read_ = 1;
    };

    IdlePageScanner(const RootDir& root, UniqueFd bitmap, UniqueFd flags, UniqueFd cgroups);
    Result<std::uint64_t> head_of(std::uint64_t pfn);
    Result<std::uint64_t> order_of(std::uint64_t head);
    Result<bool> take_reference(std::uint64_t pfn);
    Result<void> mark_idle();

    const RootDir* root_;
    bool misses_reads_;  // by read(2)
    Words bitmap_;
    Words flags_;
    Words cgroups_;
    RefaultCounters counters_;
    std::vector<std::string> transparent_cgroups_;
    std::uint64_t marked_index_ = 0;  // word of the bitmap that marked_ belongs to
    std::uint64_t marked_ = 0;        // pages that are to be marked idle
};

}  // namespace tmm::os
