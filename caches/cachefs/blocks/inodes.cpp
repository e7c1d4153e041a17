// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/inodes.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tmm::caches {

Inodes::Inodes(Blocks& blocks, UniqueFd root_folder, std::int64_t now_ns) : blocks_(blocks) {
    struct stat attributes {};
    if (::fstat(root_folder.get(), &attributes) != 0)
        throw std::system_error(errno, std::generic_category(), "the folder to show");
    const Original original{attributes.st_dev, attributes.st_ino};
    // The kernel never forgets the root.
    known_.emplace(root, Known{std::make_shared<Inode>(std::move(root_folder), blocks, attributes, now_ns), original, 1});
    numbers_.emplace(original, root);
}

std::shared_ptr<Inode> Inodes::find(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(number);
    return found == known_.end() ? nullptr : found->second.inode;
}

std::pair<std::shared_ptr<Inode>, std::uint64_t> Inodes::refer(UniqueFd original, const struct stat& attributes,
                                                               std::int64_t now_ns) {
    const Original key{attributes.st_dev, attributes.st_ino};
    const std::lock_guard lock(mutex_);
    if (const auto found = numbers_.find(key); found != numbers_.end()) {
        Known& known = known_.at(found->second);
        ++known.references;
        return {known.inode, found->second};
    }
    auto inode = std::make_shared<Inode>(std::move(original), blocks_, attributes, now_ns);
    const std::uint64_t number = ++last_;
    numbers_.emplace(key, number);
    known_.emplace(number, Known{inode, key, 1});
    return {std::move(inode), number};
}

void Inodes::forget(std::uint64_t number, std::uint64_t references) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(number);
    if (found == known_.end() || number == root)
        return;
    Known& known = found->second;
    known.references -= std::min(references, known.references);
    if (known.references > 0)
        return;
    numbers_.erase(known.original);
    known_.erase(found);
}

}  // namespace tmm::caches
