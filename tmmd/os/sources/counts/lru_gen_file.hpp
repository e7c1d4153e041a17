// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruGen: reads and ages the generations of the multi-gen LRU. LruGenFile does it through debugfs. Called from one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/os/limits/cgroup_needs.hpp"

namespace tmm::os {

// Adds the meaning of an error of a file in debugfs, for people. mount_point: for the advice. Pure.
Error explained_debugfs_error(const Error& error, const std::string& mount_point);

// Returns whether the error of an ageing call concerns that call alone: the cgroup vanished (EINVAL), or the kernel ages it at
// this moment (EEXIST, ERANGE). Pure.
bool is_passing_ageing_error(int code);

class LruGen {
public:
    virtual ~LruGen() = default;

    // Returns the text for core::parse_lru_gen(). Error: with the reason in words for people.
    virtual Result<std::string> read() = 0;

    // Reads and clears the reference bits of a memcg's processes on a node, and begins a new generation. youngest: its youngest
    // one by now. Nothing happens if the cgroup vanished or has a younger one. Error: as of read().
    virtual Result<void> age(std::uint64_t memcg, std::uint64_t node, std::uint64_t youngest) = 0;

    // As SampleSource::has_failed().
    [[nodiscard]] virtual bool has_failed() const = 0;
};

// Returns the lists of generations, those of empty cgroups too; their ids are unknown. Error: as of read(), or EINVAL.
Result<std::vector<core::Generations>> read_generations(LruGen& kernel);

// Adds the ids of the cgroups. Lists of a user beyond the bound keep unknown ones; root has four times as many.
void add_cgroup_ids(const RootDir& root, std::vector<core::Generations>& lists,
                    std::size_t max_per_user = max_cgroups_with_needs);

class LruGenFile : public LruGen {
public:
    // root must outlive it. Error: ENODEV, the kernel has no multi-gen LRU, does not use it, or debugfs is not mounted; EPERM,
    // the kernel is locked down.
    static Result<LruGenFile> open(const RootDir& root);

    Result<std::string> read() override;
    Result<void> age(std::uint64_t memcg, std::uint64_t node, std::uint64_t youngest) override;
    [[nodiscard]] bool has_failed() const override;

private:
    explicit LruGenFile(const RootDir& root) : root_(&root) {}

    const RootDir* root_;
};

}  // namespace tmm::os
