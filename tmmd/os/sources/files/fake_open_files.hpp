// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeOpenFiles: files that a test makes up.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tmmd/os/sources/files/open_files.hpp"

namespace tmm::os {

// State that the fake shares with the test: the source owns the fake.
struct FakeFiles {
    core::ReadFilesByCgroup read{};
    int error = 0;
    bool is_ready = true;
    std::function<void()> on_read = [] {};
};

class FakeOpenFiles : public OpenFiles {
public:
    explicit FakeOpenFiles(FakeFiles& state) : state_(state) {}
    bool prepare(const std::vector<std::string>&) override { return state_.is_ready; }
    Result<core::ReadFilesByCgroup> read(const std::vector<std::string>&) override {
        state_.on_read();
        if (state_.error != 0)
            return Error::from_errno(state_.error, "tmmd-footprints");
        return state_.read;
    }

private:
    FakeFiles& state_;
};

}  // namespace tmm::os
