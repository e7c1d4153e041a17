// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReadOnce: while it lives, this thread reads no file below a RootDir twice. All readers of a path get the text, or the error, of
// the first; a write through the RootDir forgets it. So all decisions of one tick see the same machine, and pay for each file
// once. Other threads read as always. One at a time for each RootDir.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "base/result.hpp"

namespace tmm {

class RootDir;

// The texts, which a RootDir and its subdirectories share.
class ReadTexts {
public:
    using Read = std::function<Result<std::string>()>;

    // Returns the text of the file of that name: of the first call since the reader began, else of read().
    Result<std::string> get(const std::string& name, const Read& read);
    // The file has another text now.
    void forget(const std::string& name);

    // Returns how often each file was read by the reader that is at work, or was the last. For tests.
    [[nodiscard]] const std::map<std::string, int>& reads() const { return reads_; }

private:
    friend class ReadOnce;
    [[nodiscard]] bool is_reader() const { return reader_ == std::this_thread::get_id(); }

    std::atomic<std::thread::id> reader_{};             // the only one that uses texts_
    std::map<std::string, Result<std::string>> texts_;  // by name of the file
    std::map<std::string, int> reads_;                  // the same
};

class ReadOnce {
public:
    // root must outlive it.
    explicit ReadOnce(const RootDir& root);
    ReadOnce(const ReadOnce&) = delete;
    ReadOnce& operator=(const ReadOnce&) = delete;
    ~ReadOnce();

private:
    ReadTexts& texts_;
};

}  // namespace tmm
