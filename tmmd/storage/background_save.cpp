// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/storage/background_save.hpp"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace tmm::storage {

namespace {

std::future<Result<void>> ready(Result<void> result) {
    std::promise<Result<void>> promise;
    promise.set_value(std::move(result));
    return promise.get_future();
}

}  // namespace

void BackgroundSave::begin(std::string text) {
    if (pending_.valid())
        return;
    try {
        pending_ = std::async(how_, [file = file_, text = std::move(text)] { return file.save(text); });
    } catch (const std::system_error&) {
        pending_ = ready(Error::from_errno(EAGAIN, "a thread to save the state"));
    }
}

std::optional<Result<void>> BackgroundSave::take_result() {
    if (!pending_.valid() || pending_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout)
        return std::nullopt;
    return pending_.get();
}

Result<void> BackgroundSave::finish(const std::string& text) {
    if (pending_.valid())
        pending_.wait();
    pending_ = {};
    return file_.save(text);
}

}  // namespace tmm::storage
