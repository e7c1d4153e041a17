// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/process/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <utility>

namespace tmm::far {

Result<SharedMemory> SharedMemory::make(const char* name, std::size_t bytes) {
    UniqueFd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Memory that a program cut off would end the pager, and with it the user's other programs.
    if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0 ||
        ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return Error::from_errno(errno, "memfd_create");
    void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (data == MAP_FAILED)
        return Error::from_errno(errno, "mmap");
    return SharedMemory(std::move(fd), static_cast<char*>(data), bytes);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::move(other.fd_)), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (data_)
        ::munmap(data_, bytes_);
}

}  // namespace tmm::far
