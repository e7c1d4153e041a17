// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BackgroundSave: saves a state in a thread of its own, since a busy disk takes seconds to confirm a write. Called from one
// thread.
#pragma once

#include <future>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "tmmd/storage/state_file.hpp"

namespace tmm::storage {

class BackgroundSave {
public:
    // how: tests pass deferred, which saves in take_result() or finish(). Its destructor waits for a save under way.
    explicit BackgroundSave(StateFile file, std::launch how = std::launch::async) : file_(std::move(file)), how_(how) {}

    [[nodiscard]] const StateFile& file() const { return file_; }

    // Begins to save the text. While another save is under way it does nothing.
    void begin(std::string text);

    // Returns the result of a save that has ended; nothing if there is none. Error: as of StateFile::save; EAGAIN if no thread
    // could be started.
    std::optional<Result<void>> take_result();

    // Waits for a save under way, then saves the text in the caller's thread. Error: as of StateFile::save.
    Result<void> finish(const std::string& text);

private:
    StateFile file_;
    std::launch how_;
    std::future<Result<void>> pending_;
};

}  // namespace tmm::storage
