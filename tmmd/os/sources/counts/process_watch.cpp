// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/process_watch.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <new>

#include "base/units.hpp"

namespace tmm::os {

void StuckProcesses::add(std::uint64_t number, uid_t user) {
    users_[user].running.insert(number);
    ++users_[user].times;
}

bool StuckProcesses::has(std::uint64_t number, uid_t user) const {
    const auto found = users_.find(user);
    if (found == users_.end())
        return false;
    return found->second.running.contains(number) || (user != 0 && found->second.times >= max_per_user);
}

void StuckProcesses::begin_pass(const RootDir& root) {
    const bool forgives = ++passes_ % passes_to_forgive == 0;
    for (auto& [id, user] : users_) {
        std::erase_if(user.running, [&](std::uint64_t number) { return !root.exists("proc/" + std::to_string(number)); });
        user.times -= forgives && user.times > 0 ? 1 : 0;
    }
    std::erase_if(users_, [](const auto& one) { return one.second.running.empty() && one.second.times == 0; });
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

void ProcessWatch::prepare(const RootDir& root, TimePoint now) {
    stuck_.begin_pass(root);
    shared_->number = 0;
    shared_->began = now.time_since_epoch().count();
}

bool ProcessWatch::begin(const OpaqueProcess& process, TimePoint now) {
    const auto number = parse_uint(process.number);
    if (!number || stuck_.has(*number, process.user))
        return false;
    shared_->user = process.user;
    shared_->number = *number;
    shared_->began = now.time_since_epoch().count();
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
