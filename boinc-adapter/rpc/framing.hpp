// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The frames of BOINC's GUI RPC: each request and each reply ends with the byte 3. Pure. Not thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::boinc {

inline constexpr char frame_end = '\003';

// Cuts a stream of bytes into replies.
class FrameReader {
public:
    // A client with thousands of tasks sends 5 MB. A longer reply comes from no client.
    static constexpr std::size_t max_frame_bytes = 8 << 20;

    // Takes bytes as they arrive, in pieces of any size. Error: EFBIG if a reply is too long; the connection is of no use then.
    Result<void> feed(std::string_view bytes);

    // Returns the next whole reply, without its end; nothing until there is one.
    std::optional<std::string> next();

private:
    std::string buffer_;
    std::size_t searched_ = 0;  // no end of a frame is before it
};

}  // namespace tmm::boinc
