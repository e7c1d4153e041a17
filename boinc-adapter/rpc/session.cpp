// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/session.hpp"

#include <algorithm>
#include <cerrno>

#include "boinc-adapter/rpc/replies.hpp"
#include "boinc-adapter/rpc/requests.hpp"

namespace tmm::boinc {

void Session::begin(Time now) {
    phase_ = Phase::connecting;
    since_ = now;
}

void Session::connected(Time now) {
    since_ = now;
    if (!password_ || is_refused_) {
        opened(Access::read_only, now);
        return;
    }
    if (password_->empty()) {
        opened(Access::full, now);
        return;
    }
    phase_ = Phase::first_step;
    outgoing_ += request::authenticate();
}

Result<void> Session::received(std::string_view bytes, Time now) {
    auto fed = frames_.feed(bytes);
    if (!fed)
        return fed;
    while (const auto frame = frames_.next()) {
        auto taken = take(*frame, now);
        if (!taken)
            return taken;
    }
    return {};
}

Result<void> Session::take(const std::string& frame, Time now) {
    switch (phase_) {
        case Phase::first_step: {
            const auto nonce = parse_nonce(frame);
            if (!nonce)
                return nonce.error();
            outgoing_ += request::authenticate(*nonce, *password_);
            phase_ = Phase::second_step;
            since_ = now;
            return {};
        }
        case Phase::second_step: {
            auto authorized = parse_authorized(frame);
            if (!authorized && authorized.error().code() != EACCES)
                return authorized;
            is_refused_ = !authorized;
            opened(authorized ? Access::full : Access::read_only, now);
            return {};
        }
        case Phase::open:
            break;
        default:
            return Error(EPROTO, "bytes from a client without a connection");
    }
    if (requests_.empty() || !is_sent_)
        return Error(EPROTO, "a reply without a request");
    answers_.push_back({requests_.front().id, frame});
    requests_.pop_front();
    is_sent_ = false;
    send_next(now);
    return {};
}

void Session::opened(Access access, Time now) {
    phase_ = Phase::open;
    access_ = access;
    send_next(now);
}

// The client reads one request at a time and drops bytes that follow it.
void Session::send_next(Time now) {
    if (phase_ != Phase::open || is_sent_ || requests_.empty())
        return;
    outgoing_ += requests_.front().frame;
    is_sent_ = true;
    since_ = now;
}

void Session::lost(Time now) {
    for (const Request& request : requests_)
        answers_.push_back({request.id, Error(ECONNRESET, "the connection to the BOINC client is lost")});
    requests_.clear();
    is_sent_ = false;
    outgoing_.clear();
    frames_ = FrameReader();
    phase_ = Phase::closed;
    access_ = Access::unknown;
    retry_at_ = now + backoff_;
    backoff_ = std::min(2 * backoff_, max_backoff);
}

bool Session::expired(Time now) const {
    const bool waits = phase_ != Phase::closed && (phase_ != Phase::open || is_sent_);
    return waits && now - since_ > max_wait;
}

Result<void> Session::ask(int id, std::string frame, Time now) {
    if (phase_ != Phase::open)
        return Error(EAGAIN, "no connection to the BOINC client");
    if (requests_.size() >= max_requests)
        return Error(EAGAIN, "too many requests to the BOINC client");
    requests_.push_back({id, std::move(frame)});
    send_next(now);
    return {};
}

std::size_t Session::withdraw() {
    const std::size_t sent = is_sent_ ? 1 : 0;
    const std::size_t withdrawn = requests_.size() - sent;
    requests_.resize(sent);
    return withdrawn;
}

std::optional<Session::Answer> Session::next_answer() {
    if (answers_.empty())
        return std::nullopt;
    Answer answer = std::move(answers_.front());
    answers_.pop_front();
    return answer;
}

}  // namespace tmm::boinc
