// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/lru_gen_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/multi_gen_lru.hpp"

namespace tmm::os {

namespace {

constexpr const char* debugfs = "sys/kernel/debug";
constexpr const char* lists_path = "sys/kernel/debug/lru_gen";

// Some 40,000 lists. With more there are no samples, but still protection.
constexpr std::size_t max_text_bytes = 16 << 20;

Result<void> check_enabled(const RootDir& root) {
    const auto bits = read_multi_gen_lru(root);
    if (!bits && bits.error().code() == ENOENT)
        return Error(ENODEV, bits.error().message() + ": the kernel was built without CONFIG_LRU_GEN");
    if (!bits)
        return bits.error();
    const std::string advice = ": echo y > " + root.name_of(multi_gen_lru_path);
    if ((*bits & multi_gen_lru_is_used) == 0)
        return Error(ENODEV, "the multi-gen LRU is off" + advice);
    if ((*bits & multi_gen_lru_walks_page_tables) == 0)
        return Error(ENODEV, "the multi-gen LRU does not walk page tables" + advice);
    return {};
}

}  // namespace

Error explained_debugfs_error(const Error& error, const std::string& mount_point) {
    switch (error.code()) {
        case ENOENT:
            return {ENODEV, error.message() + ": debugfs is not mounted: mount -t debugfs debugfs " + mount_point};
        case EPERM:
            return {EPERM, error.message() + ": the kernel is locked down, as it is under Secure Boot"};
        case EACCES:
            return {EACCES, error.message() + ": only root may use it"};
        case EROFS:
            return {EROFS, error.message() + ": debugfs is mounted read-only"};
        default:
            return error;
    }
}

bool is_passing_ageing_error(int code) {
    return code == EINVAL || code == EEXIST || code == ERANGE;
}

Result<std::vector<core::Generations>> read_generations(LruGen& kernel) {
    const auto text = kernel.read();
    if (!text)
        return text.error();
    return core::parse_lru_gen(*text);
}

void add_cgroup_ids(const RootDir& root, std::vector<core::Generations>& lists, std::size_t max_per_user) {
    UserBudget budget(max_per_user, 4);
    for (core::Generations& list : lists) {
        if (budget.take(user_of(root, cgroup_mount + list.cgroup)))
            list.id = cgroup_id_of(root, list.cgroup);
    }
}

Result<LruGenFile> LruGenFile::open(const RootDir& root) {
    auto enabled = check_enabled(root);
    if (!enabled)
        return std::move(enabled).error();
    const auto file = root.open_file(lists_path, O_RDWR);
    if (!file)
        return explained_debugfs_error(file.error(), root.name_of(debugfs));
    return LruGenFile(root);
}

// Opens the file anew each time, to notice that debugfs was unmounted.
Result<std::string> LruGenFile::read() {
    auto enabled = check_enabled(*root_);
    if (!enabled)
        return std::move(enabled).error();
    auto text = root_->read_file(lists_path, max_text_bytes);
    if (!text)
        return explained_debugfs_error(text.error(), root_->name_of(debugfs));
    return text;
}

Result<void> LruGenFile::age(std::uint64_t memcg, std::uint64_t node, std::uint64_t youngest) {
    // The last two words: anonymous pages as well as files, and all page tables.
    const auto written = root_->write_file(
        lists_path, "+ " + std::to_string(memcg) + " " + std::to_string(node) + " " + std::to_string(youngest) + " 1 1\n");
    if (written || is_passing_ageing_error(written.error().code()))
        return {};
    return explained_debugfs_error(written.error(), root_->name_of(debugfs));
}

// The list of generations is long, and reading it at each tick would cost too much.
bool LruGenFile::has_failed() const {
    return !check_enabled(*root_) || !root_->exists(lists_path);
}

}  // namespace tmm::os
