// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/read_once.hpp"

#include "base/root_dir.hpp"

namespace tmm {

Result<std::string> ReadTexts::get(const std::string& name, const Read& read) {
    if (!is_reader())
        return read();
    const auto known = texts_.find(name);
    if (known != texts_.end())
        return known->second;
    ++reads_[name];
    return texts_.emplace(name, read()).first->second;
}

void ReadTexts::forget(const std::string& name) {
    if (is_reader())
        texts_.erase(name);
}

ReadOnce::ReadOnce(const RootDir& root) : texts_(root.texts()) {
    texts_.texts_.clear();
    texts_.reads_.clear();
    texts_.reader_ = std::this_thread::get_id();
}

ReadOnce::~ReadOnce() {
    texts_.reader_ = std::thread::id();
    texts_.texts_.clear();
}

}  // namespace tmm
