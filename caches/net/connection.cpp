// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/connection.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tmm::caches {
namespace {

constexpr std::size_t min_input_bytes = 4096;

}  // namespace

Connection::~Connection() {
    drop_input();
    if (waits_for_memory_)
        account_->wait_for_input(false);
    account_->add_output(-static_cast<std::ptrdiff_t>(accounted_output_));
}

Connection::Need Connection::serve(std::span<char> scratch, Traffic& traffic, Clock::time_point now) {
    const std::uint64_t before = traffic.read_bytes + traffic.written_bytes;
    const Need need = turn(scratch, traffic);
    if (traffic.read_bytes + traffic.written_bytes != before)
        last_active_ = now.time_since_epoch().count();
    return need;
}

Connection::Need Connection::turn(std::span<char> scratch, Traffic& traffic) {
    if (!flush(traffic))
        return Need::close;
    if (closes_)
        return output_.empty() ? Need::close : Need::write;
    if (output_.bytes() > max_unsent_bytes)
        return Need::write;
    if (!account_->may_reply(output_.empty()))
        return output_.empty() ? Need::memory : Need::write;
    if (!again_) {
        switch (fill(scratch, traffic)) {
            case Filled::some:
                break;
            case Filled::nothing:
                return output_.empty() ? Need::read : Need::write;
            case Filled::refused:
                return Need::memory;
            case Filled::ended:
                // A client that sends no more may still read.
                drop_input();
                closes_ = true;
                return output_.empty() ? Need::close : Need::write;
        }
    }
    handle(scratch_input_.empty() ? input_.view().substr(input_start_) : scratch_input_);
    scratch_input_ = {};
    if (!flush(traffic))
        return Need::close;
    if (closes_)
        return output_.empty() ? Need::close : Need::write;
    if (output_.bytes() > max_unsent_bytes)
        return Need::write;
    if (again_)
        return Need::turn;
    return output_.empty() ? Need::read : Need::write;
}

// Makes room for the whole request behind the input that is kept. Returns false if the user has no memory left for it.
bool Connection::make_room() {
    if (input_start_ > 0) {
        const std::string_view rest = input_.view().substr(input_start_);
        std::memmove(input_.data(), rest.data(), rest.size());
        input_.resize(rest.size());
        input_start_ = 0;
    }
    const std::size_t needed = std::max({wanted_, input_.size() + 1, min_input_bytes});
    if (needed <= input_.capacity())
        return true;
    // By doubling, so that bytes that come one by one are not copied each time.
    const std::size_t room = std::max(needed, 2 * input_.capacity());
    if (room > free_input_bytes) {
        if (!account_->reserve_input(room))
            return false;
        account_->release_input(std::exchange(reserved_bytes_, room));
    }
    input_.reserve(room);
    return true;
}

Connection::Filled Connection::fill(std::span<char> scratch, Traffic& traffic) {
    const bool keeps = input_.size() > input_start_;
    const bool has_room = !keeps || make_room();
    if (has_room == waits_for_memory_) {
        waits_for_memory_ = !has_room;
        account_->wait_for_input(waits_for_memory_);
    }
    if (!has_room)
        return Filled::refused;
    char* const place = keeps ? input_.data() + input_.size() : scratch.data();
    const std::size_t room = keeps ? input_.capacity() - input_.size() : scratch.size();
    ssize_t got = 0;
    do {
        got = ::recv(socket_.get(), place, room, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? Filled::nothing : Filled::ended;
    if (got == 0)
        return Filled::ended;
    const auto bytes = static_cast<std::size_t>(got);
    traffic.read_bytes += bytes;
    if (keeps)
        input_.resize(input_.size() + bytes);
    else
        scratch_input_ = {place, bytes};
    return Filled::some;
}

void Connection::handle(std::string_view input) {
    const Turn turn{max_requests_, max_unsent_bytes};
    const auto swallow = [&] {
        const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(swallow_bytes_, input.size()));
        swallow_bytes_ -= bytes;
        input.remove_prefix(bytes);
    };
    again_ = false;
    swallow();
    if (!input.empty() && input.size() >= wanted_) {
        wanted_ = 0;
        state_.store("conn_parse_cmd", std::memory_order_relaxed);
        const Progress progress = session_->handle(input, output_, turn);
        input.remove_prefix(progress.used);
        swallow_bytes_ = progress.swallow_bytes;
        swallow();
        wanted_ = progress.wanted;
        closes_ = progress.closes;
        again_ = !closes_ && (progress.again || progress.swallow_bytes > 0) && !input.empty();
    }
    keep(closes_ ? std::string_view() : input);
    state_.store(swallow_bytes_ > 0 ? "conn_swallow" : input.empty() ? "conn_read" : "conn_nread", std::memory_order_relaxed);
    account_output();
}

// Keeps what the session has not used.
void Connection::keep(std::string_view rest) {
    if (rest.empty()) {
        drop_input();
    } else if (scratch_input_.empty()) {
        input_start_ = input_.size() - rest.size();
    } else {
        input_.reserve(std::max(min_input_bytes, rest.size()));
        input_.append(rest);
    }
}

void Connection::drop_input() {
    input_ = Buffer();
    input_start_ = 0;
    account_->release_input(std::exchange(reserved_bytes_, 0));
}

bool Connection::flush(Traffic& traffic) {
    if (output_.empty())
        return true;
    const std::ptrdiff_t sent = output_.send_to(socket_.get());
    if (sent < 0)
        return false;
    traffic.written_bytes += static_cast<std::uint64_t>(sent);
    account_output();
    return true;
}

void Connection::account_output() {
    const std::size_t bytes = output_.bytes();
    account_->add_output(static_cast<std::ptrdiff_t>(bytes) - static_cast<std::ptrdiff_t>(accounted_output_));
    accounted_output_ = bytes;
}

}  // namespace tmm::caches
