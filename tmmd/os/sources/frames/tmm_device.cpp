// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/tmm_device.hpp"

#include <fcntl.h>
#include <linux/tmm.h>
#include <sys/ioctl.h>

#include <cerrno>

namespace tmm::os {

namespace {

// The words of one call. This bounds the memory of a call, not of the scan.
constexpr std::size_t words_per_call = 8192;

}  // namespace

Result<TmmDevice> TmmDevice::open(const RootDir& root) {
    auto fd = root.open_file("dev/tmm", O_RDWR);
    if (fd)
        return TmmDevice(*std::move(fd));
    const std::string name = root.name_of("dev/tmm");
    switch (fd.error().code()) {
        case ENOENT:
        case ENODEV:
        case ENXIO:
            return Error(ENODEV, name + " is missing: the running kernel has no TMM; tmmd(8) says how to get one");
        case EPERM:
        case EACCES:
            return Error(fd.error().code(), name + ": not permitted; tmmd needs root or the capability CAP_SYS_ADMIN");
        case EBUSY:
            return Error(EBUSY, name + " is in use: another tmmd is running");
        default:
            return std::move(fd).error();
    }
}

Result<std::vector<std::uint64_t>> scan_all(const std::function<int(tmm_scan&)>& call, std::uint32_t shift, std::uint64_t seed) {
    std::vector<std::uint64_t> words;
    tmm_scan request{};
    request.size = sizeof request;
    request.end_pfn = UINT64_MAX;
    request.seed = seed;
    request.shift = shift;
    for (;;) {
        const std::size_t filled = words.size();
        words.resize(filled + words_per_call);
        request.vec = reinterpret_cast<std::uintptr_t>(words.data() + filled);
        request.vec_len = words_per_call;
        const int got = call(request);
        if (got < 0 && errno == EINTR) {
            words.resize(filled);
            continue;
        }
        if (got < 0)
            return Error::from_errno(errno, "/dev/tmm: TMM_SCAN");
        words.resize(filled + static_cast<std::size_t>(got));
        // Each call makes progress unless it begins at the end of memory. The number of words does not tell: a signal may have
        // ended the call.
        if (request.walk_end == request.start_pfn)
            return words;
        request.start_pfn = request.walk_end;
    }
}

Result<std::vector<std::uint64_t>> TmmDevice::scan(std::uint32_t shift, std::uint64_t seed) {
    return scan_all([this](tmm_scan& request) { return ::ioctl(fd_.get(), TMM_SCAN, &request); }, shift, seed);
}

Result<RefaultCounts> TmmDevice::poll_refaults(std::size_t nr_units) {
    if (refaults_.size() < nr_units)
        refaults_.resize(nr_units);
    tmm_refaults request{};
    request.size = sizeof request;
    request.flags = TMM_REFAULTS_CLEAR;
    request.vec = reinterpret_cast<std::uintptr_t>(refaults_.data());
    request.vec_len = nr_units;
    const int got = ::ioctl(fd_.get(), TMM_REFAULTS, &request);
    if (got < 0)
        return Error::from_errno(errno, "/dev/tmm: TMM_REFAULTS");
    return RefaultCounts{core::Pages(request.unit_pages), std::span(refaults_).first(static_cast<std::size_t>(got)),
                         request.clock};
}

}  // namespace tmm::os
