// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recorder: writes the samples of the source as a trace, tmm-replay(1). At the end of each epoch it writes a record for each
// sampled page that was referenced or went away. It hashes page keys with a secret of this recording. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/trace/key_hash.hpp"

namespace tmm::app {

class Recorder {
public:
    // Creates the file for its owner alone, or empties it, and writes the header. hash: with the recording's secret.
    static Result<Recorder> create(const std::string& path, trace::KeyHash hash);

    // Appends an epoch that ended now. The first epoch begins the time of the trace. Error: the write fails, for example on a
    // full disk; the last line may then be cut off.
    Result<void> append(const core::EpochSample& sample, core::AwakeTime now);

    // Call it when keys mean other pages from the next epoch on. In the trace, all known pages then go away.
    void forget_pages() { source_is_new_ = true; }

private:
    Recorder(UniqueFd fd, std::string path, trace::KeyHash hash) : fd_(std::move(fd)), path_(std::move(path)), hash_(hash) {}
    Result<void> write_text(const std::string& text);

    UniqueFd fd_;
    std::string path_;
    trace::KeyHash hash_;
    std::optional<core::AwakeTime> start_;
    bool source_is_new_ = false;
    std::unordered_map<core::PageKey, std::uint32_t> known_;  // hashed keys, weights
};

}  // namespace tmm::app
