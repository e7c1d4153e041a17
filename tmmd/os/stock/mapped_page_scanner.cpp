// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/mapped_page_scanner.hpp"

#include <fcntl.h>
#include <linux/tmm.h>
#include <linux/tmm_mapped.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tmm::os {

namespace {

constexpr const char* device_path = "dev/tmm-mapped";

// Words beyond twice those of different frames, which wait to be merged: many processes may map the same memory.
constexpr std::size_t max_unmerged = std::size_t{8} * TMM_MAPPED_VEC_MAX;

// Sorts the words by frame, and leaves one of each frame: a page that several processes map has a word from each.
void merge(std::vector<std::uint64_t>& words) {
    std::sort(words.begin(), words.end(), [](std::uint64_t a, std::uint64_t b) { return TMM_FRAME_PFN(a) < TMM_FRAME_PFN(b); });
    std::size_t kept = 0;
    for (const std::uint64_t word : words) {
        if (kept > 0 && TMM_FRAME_PFN(words[kept - 1]) == TMM_FRAME_PFN(word))
            words[kept - 1] |= word & TMM_FRAME_REF;
        else
            words[kept++] = word;
    }
    words.resize(kept);
}

}  // namespace

Result<std::vector<std::uint64_t>> scan_all_mapped(const std::function<int(tmm_mapped_scan&)>& call, std::uint32_t shift,
                                                   std::uint64_t seed, std::span<const std::uint64_t> cgroups) {
    std::vector<std::uint64_t> words;
    std::size_t merged = 0;
    tmm_mapped_scan request{};
    request.size = sizeof request;
    request.seed = seed;
    request.shift = shift;
    request.cgroups = reinterpret_cast<std::uintptr_t>(cgroups.data());
    request.nr_cgroups = cgroups.size();
    while (request.walk_pid != TMM_MAPPED_END) {
        const std::size_t filled = words.size();
        words.resize(filled + TMM_MAPPED_VEC_MAX);
        request.vec = reinterpret_cast<std::uintptr_t>(words.data() + filled);
        request.vec_len = TMM_MAPPED_VEC_MAX;
        const int got = call(request);
        words.resize(filled + static_cast<std::size_t>(std::max(got, 0)));
        if (got < 0 && errno != EINTR)
            return Error::from_errno(errno, "/dev/tmm-mapped: TMM_MAPPED_SCAN");
        if (words.size() > 2 * merged + max_unmerged) {
            merge(words);
            merged = words.size();
        }
    }
    merge(words);
    return words;
}

Result<MappedPageScanner> MappedPageScanner::open(const RootDir& root) {
    auto fd = root.open_file(device_path, O_RDWR);
    if (fd)
        return MappedPageScanner(root, *std::move(fd));
    const std::string name = root.name_of(device_path);
    switch (fd.error().code()) {
        case ENOENT:
        case ENODEV:
        case ENXIO:
            return Error(ENODEV, name + " is missing: install the package tmm-dkms, or see what 'modprobe tmm_mapped' says");
        case EPERM:
        case EACCES:
            return Error(fd.error().code(), name +
                                                ": not permitted; tmmd needs root or the capability CAP_SYS_ADMIN, and to be "
                                                "restarted if the module was loaded after it began");
        case EBUSY:
            return Error(EBUSY, name + " is in use: another tmmd is running");
        default:
            return std::move(fd).error();
    }
}

Result<std::vector<std::uint64_t>> MappedPageScanner::scan(std::uint32_t shift, std::uint64_t seed) {
    std::vector<std::uint64_t> cgroups;
    for (const std::string& cgroup : transparent_cgroups_) {
        const auto dir = root_->subdir_without_links(cgroup);
        struct stat status {};
        // One that has vanished has no processes.
        if (dir && ::fstat(dir->fd(), &status) == 0)
            cgroups.push_back(status.st_ino);
    }
    return scan_all_mapped([this](tmm_mapped_scan& request) { return ::ioctl(fd_.get(), TMM_MAPPED_SCAN, &request); }, shift,
                           seed, cgroups);
}

Result<RefaultCounts> MappedPageScanner::poll_refaults(std::size_t) {
    return counters_.poll(transparent_cgroups_);
}

}  // namespace tmm::os
