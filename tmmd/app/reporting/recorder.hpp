// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Recorder: writes what the sample source saw as a trace, tmm-replay(1): at the end of each epoch a record for each sampled page
// that was referenced or went away. Page keys are hashed with a secret of this recording. Not thread-safe.
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
    // Creates the file for its owner alone, or empties it, and writes the header.
    static Result<Recorder> create(const std::string& path, trace::KeyHash hash);

    // An epoch that ended now; the first one begins the time of the trace. Error: the disk is full, for example; the last line
    // may then be cut off.
    Result<void> append(const core::EpochSample& sample, core::AwakeTime now);

    // From the next epoch on keys mean other pages: in the trace, all known pages go away.
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
