// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/uffd/userfault.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "farmem/core/page.hpp"

namespace tmm::far {

namespace {

Filled filled(int result) {
    if (result == 0)
        return Filled::there;
    switch (errno) {
        case EEXIST:
            return Filled::there;
        case EAGAIN:
            return Filled::again;
        case ESRCH:
            return Filled::dead;
        default:
            return Filled::gone;
    }
}

Result<std::uint64_t> start_api(int fd, std::uint64_t features) {
    uffdio_api api{.api = UFFD_API, .features = features, .ioctls = 0};
    if (::ioctl(fd, UFFDIO_API, &api) != 0)
        return Error::from_errno(errno, "UFFDIO_API");
    return std::uint64_t{api.features};
}

}  // namespace

Result<void> Userfault::check(int device) {
    const UniqueFd fd(::ioctl(device, USERFAULTFD_IOC_NEW, O_CLOEXEC | O_NONBLOCK));
    if (!fd)
        return Error::from_errno(errno, "/dev/userfaultfd");
    const auto features = start_api(fd.get(), 0);
    if (!features)
        return features.error();
    if ((*features & uffd_features) != uffd_features)
        return Error(ENOSYS, "this kernel cannot move pages out of a program (UFFDIO_MOVE): far memory needs Linux 6.8 or later");
    return {};
}

Result<Userfault> Userfault::begin(UniqueFd fd) {
    if (const auto features = start_api(fd.get(), uffd_features); !features)
        return features.error();
    return Userfault(std::move(fd));
}

Filled Userfault::copy(std::uint64_t address, const void* page) const {
    uffdio_copy call{};
    call.dst = address;
    call.src = reinterpret_cast<std::uint64_t>(page);
    call.len = page_bytes;
    const Filled result = filled(::ioctl(fd_.get(), UFFDIO_COPY, &call));
    if (result == Filled::gone || call.copy < 0)
        wake(address);
    return result;
}

Filled Userfault::zero(std::uint64_t address, std::size_t nr_pages, std::size_t& nr_filled) const {
    uffdio_zeropage call{};
    call.range = {.start = address, .len = nr_pages * page_bytes};
    const int result = ::ioctl(fd_.get(), UFFDIO_ZEROPAGE, &call);
    if (result != 0 && call.zeropage > 0) {
        // The rest is another matter.
        nr_filled = static_cast<std::size_t>(call.zeropage) / page_bytes;
        return Filled::there;
    }
    nr_filled = result == 0 ? nr_pages : 1;
    const Filled outcome = filled(result);
    if (result != 0 && nr_pages > 1 && outcome != Filled::again && outcome != Filled::dead)
        return zero(address, 1, nr_filled);
    if (result != 0 && outcome != Filled::again)
        wake(address);
    return outcome;
}

void Userfault::wake(std::uint64_t address) const {
    uffdio_range range{.start = address, .len = page_bytes};
    ::ioctl(fd_.get(), UFFDIO_WAKE, &range);
}

void Userfault::wake_all() const {
    // The largest addresses of a program: with 48 bits (Arm) or 47. The kernel refuses a range that exceeds them.
    for (const unsigned bits : {48U, 47U}) {
        uffdio_range all{.start = 0x10000, .len = (std::uint64_t{1} << bits) - page_bytes - 0x10000};
        if (::ioctl(fd_.get(), UFFDIO_WAKE, &all) == 0)
            return;
    }
}

void Userfault::poison(std::uint64_t address) const {
    uffdio_poison call{};
    call.range = {.start = address & ~(page_bytes - 1), .len = page_bytes};
    ::ioctl(fd_.get(), UFFDIO_POISON, &call);
}

bool Userfault::is_alive() const {
    // The kernel looks for the process before it looks for memory, which is not registered there.
    uffdio_zeropage call{};
    call.range = {.start = 0x10000, .len = page_bytes};
    return ::ioctl(fd_.get(), UFFDIO_ZEROPAGE, &call) == 0 || errno != ESRCH;
}

std::size_t Userfault::read(std::span<uffd_msg> messages) const {
    const ssize_t bytes = ::read(fd_.get(), messages.data(), messages.size_bytes());
    return bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(uffd_msg) : 0;
}

}  // namespace tmm::far
