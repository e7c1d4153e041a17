// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/framing.hpp"

#include <cerrno>

namespace tmm::boinc {

Result<void> FrameReader::feed(std::string_view bytes) {
    buffer_.append(bytes);
    // The frame under way is the last one: those before it are whole, and next() takes them.
    const auto end = buffer_.rfind(frame_end);
    const std::size_t unfinished = buffer_.size() - (end == std::string::npos ? 0 : end + 1);
    if (unfinished > max_frame_bytes || buffer_.size() > 2 * max_frame_bytes)
        return Error(EFBIG, "a reply of more than " + std::to_string(max_frame_bytes) + " bytes");
    return {};
}

std::optional<std::string> FrameReader::next() {
    const auto end = buffer_.find(frame_end, searched_);
    if (end == std::string::npos) {
        searched_ = buffer_.size();
        return std::nullopt;
    }
    std::string frame = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    searched_ = 0;
    return frame;
}

}  // namespace tmm::boinc
