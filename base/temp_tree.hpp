// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TempTree: makes a temporary directory tree for tests, in place of "/". It removes the tree at the end of the scope.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "base/root_dir.hpp"

namespace tmm {

class TempTree {
public:
    TempTree() {
        std::string pattern = (std::filesystem::temp_directory_path() / "tmm-test-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    TempTree(const TempTree&) = delete;
    TempTree& operator=(const TempTree&) = delete;
    ~TempTree() { std::filesystem::remove_all(path_); }

    // Makes a file and the directories above it; may be chained, as may dir().
    TempTree& file(const std::string& path, const std::string& text) {
        const auto full = path_ / path;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream(full) << text;
        return *this;
    }
    TempTree& dir(const std::string& path) {
        std::filesystem::create_directories(path_ / path);
        return *this;
    }

    [[nodiscard]] std::string text(const std::string& path) const {
        std::ostringstream out;
        out << std::ifstream(path_ / path).rdbuf();
        return out.str();
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] RootDir root() const { return RootDir::open(path_.string()).value(); }

private:
    std::filesystem::path path_;
};

}  // namespace tmm
