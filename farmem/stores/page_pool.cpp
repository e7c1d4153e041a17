// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/page_pool.hpp"

#include <sys/mman.h>

#include <numeric>

namespace tmm::far {

PagePool::~PagePool() {
    for (const auto& [address, free] : blocks_)
        ::munmap(reinterpret_cast<void*>(address), block_bytes);
}

// Of twice the size, the part that is aligned stays.
bool PagePool::add_block() {
    void* const mapped =
        ::mmap(nullptr, 2 * block_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return false;
    const auto first = reinterpret_cast<std::uintptr_t>(mapped);
    const std::uintptr_t address = (first + block_bytes - 1) / block_bytes * block_bytes;
    if (address > first)
        ::munmap(mapped, address - first);
    ::munmap(reinterpret_cast<void*>(address + block_bytes), first + block_bytes - address);
    ::madvise(reinterpret_cast<void*>(address), block_bytes, MADV_HUGEPAGE);
    std::vector<std::uint16_t>& free = blocks_[address];
    free.resize(block_pages);
    std::iota(free.rbegin(), free.rend(), std::uint16_t{0});
    with_free_.insert(address);
    return true;
}

char* PagePool::take() {
    if (with_free_.empty() && !add_block())
        return nullptr;
    const std::uintptr_t address = *with_free_.begin();
    std::vector<std::uint16_t>& free = blocks_.at(address);
    char* const page = reinterpret_cast<char*>(address) + std::size_t{free.back()} * page_bytes;
    free.pop_back();
    if (free.empty())
        with_free_.erase(address);
    return page;
}

void PagePool::give_back(char* page) {
    const auto at = reinterpret_cast<std::uintptr_t>(page);
    const std::uintptr_t address = at / block_bytes * block_bytes;
    std::vector<std::uint16_t>& free = blocks_.at(address);
    free.push_back(static_cast<std::uint16_t>((at - address) / page_bytes));
    with_free_.insert(address);
    if (free.size() < block_pages)
        return;
    ::munmap(reinterpret_cast<void*>(address), block_bytes);
    blocks_.erase(address);
    with_free_.erase(address);
}

}  // namespace tmm::far
