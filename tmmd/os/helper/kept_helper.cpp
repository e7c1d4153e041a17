// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/kept_helper.hpp"

#include <cerrno>

namespace tmm::os {

Result<KeptHelper> KeptHelper::begin(std::string name, Start start) {
    auto process = start();
    if (!process)
        return std::move(process).error();
    return KeptHelper(std::move(name), std::move(start), *std::move(process));
}

Error KeptHelper::end() const {
    if (vain_starts_ >= max_vain_starts)
        return {EPIPE, "the process " + name_ + " has ended " + std::to_string(vain_starts_) +
                           " times in a row; a restart of tmmd starts another"};
    return {EPIPE, "the process " + name_ + " has ended; tmmd starts another when it needs one"};
}

Error KeptHelper::noted(Error error) {
    if (error.code() != EPIPE)
        return error;
    process_.reset();
    return end();
}

bool KeptHelper::has_ended() const {
    return !process_ || is_closed(process_->socket());
}

Result<void> KeptHelper::replace_if_ended() {
    if (process_)
        return {};
    if (vain_starts_ >= max_vain_starts)
        return end();
    ++vain_starts_;
    auto process = start_();
    if (!process)
        return std::move(process).error();
    process_ = *std::move(process);
    return {};
}

Result<void> KeptHelper::send(std::string_view message) {
    if (!process_)
        return end();
    auto sent = send_message(process_->socket(), message);
    return sent ? sent : noted(sent.error());
}

Result<std::optional<std::string>> KeptHelper::receive(std::chrono::milliseconds wait) {
    if (!process_)
        return end();
    auto message = receive_message(process_->socket(), wait);
    if (!message)
        return noted(message.error());
    if (*message)
        vain_starts_ = 0;
    return message;
}

}  // namespace tmm::os
