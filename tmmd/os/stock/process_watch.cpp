// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/process_watch.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <new>

#include "base/units.hpp"

namespace tmm::os {

bool StuckProcesses::has(std::uint64_t number, uid_t user) const {
    const auto of_user = of_users_.find(user);
    if (of_user == of_users_.end())
        return false;
    return of_user->second.contains(number) || (user != 0 && of_user->second.size() >= max_per_user);
}

void StuckProcesses::forget_ended(const RootDir& root) {
    for (auto& [user, numbers] : of_users_)
        std::erase_if(numbers, [&](std::uint64_t number) { return !root.exists("proc/" + std::to_string(number)); });
    std::erase_if(of_users_, [](const auto& one) { return one.second.empty(); });
}

void ProcessWatch::Unmap::operator()(Shared* shared) const {
    ::munmap(shared, sizeof *shared);
}

Result<ProcessWatch> ProcessWatch::make() {
    void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return Error::from_errno(errno, "mmap");
    return ProcessWatch(std::unique_ptr<Shared, Unmap>(new (memory) Shared));
}

bool ProcessWatch::begin(const OpaqueProcess& process) {
    const auto number = parse_uint(process.number);
    if (!number || stuck_.has(*number, process.user))
        return false;
    shared_->user = process.user;
    shared_->number = *number;
    return true;
}

std::optional<std::string> ProcessWatch::give_up() {
    const std::uint64_t number = shared_->number.exchange(0);
    if (number == 0)
        return std::nullopt;
    stuck_.add(number, shared_->user);
    return "process " + std::to_string(number) + " of user " + std::to_string(shared_->user);
}

}  // namespace tmm::os
