// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "interaction_recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "presence_clock.hpp"

namespace tmm::desk {

Result<InteractionRecorder> InteractionRecorder::create(const std::string& path) {
    if (path.empty())
        return InteractionRecorder(UniqueFd());
    UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0)
        return Error::from_errno(errno, "cannot write " + path);
    InteractionRecorder recorder(std::move(file));
    recorder.write(LatencyLog::header);
    return recorder;
}

void InteractionRecorder::begin() {
    begin_ = monotonic_now();
}

void InteractionRecorder::end() {
    const auto now = monotonic_now();
    if (const auto row = log_.add(now, waited(begin_, last_return(), now)))
        write(*row);
}

void InteractionRecorder::finish() {
    if (const auto row = log_.finish())
        write(*row);
}

void InteractionRecorder::write(const std::string& text) {
    if (file_.get() >= 0 && ::write(file_.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        std::perror("cannot write the log of latencies, ignoring");
}

Result<void> tell_ready(const std::string& path) {
    if (path.empty())
        return {};
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (file.get() < 0)
        return Error::from_errno(errno, "cannot make " + path);
    return {};
}

}  // namespace tmm::desk
