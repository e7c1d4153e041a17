// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/coordinated_budget.hpp"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "coordinate/records.hpp"
#include "softlib/detail/reuse_watch.hpp"
#include "src/heap/heap_core.hpp"

namespace soft {
namespace {

// In a call. tmmd sends far fewer.
constexpr int max_grants = 16;
// What tmmd takes for sane.
constexpr std::uint64_t max_told_bytes = std::uint64_t{1} << 50;

constexpr coordinate::header header_of(coordinate::kind kind) {
    return {coordinate::version, static_cast<std::uint32_t>(kind)};
}

}  // namespace

std::string coordinated_budget::path_of_environment() {
    const char* const path = secure_getenv("SOFTLIB_COORDINATOR");
    return path != nullptr ? path : default_path;
}

coordinated_budget::coordinated_budget(soft::heap& heap, std::string path, std::string root,
                                       std::function<clock::time_point()> now)
    : heap_(heap),
      watch_(heap.core_->reuse_watch()),
      path_(std::move(path)),
      now_(std::move(now)),
      machine_({}, std::move(root)) {}

coordinated_budget::~coordinated_budget() {
    disconnect();
    stop_watching();
}

void coordinated_budget::disconnect() noexcept {
    if (socket_ >= 0) {
        ::close(socket_);
        socket_ = -1;
    }
    grant_.reset();
}

void coordinated_budget::stop_watching() noexcept {
    if (is_watching_) {
        is_watching_ = false;
        watch_.end();
    }
}

void coordinated_budget::forked() noexcept {
    machine_.forked();
    disconnect();
    stop_watching();
    tried_at_.reset();
}

void coordinated_budget::connect(clock::time_point now) noexcept {
    sockaddr_un address{};
    if (path_.empty() || path_.size() >= sizeof address.sun_path || (tried_at_ && now - *tried_at_ < retry_after)) {
        return;
    }
    tried_at_ = now;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    socket_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0) {
        return;
    }
    coordinate::hello hello{header_of(coordinate::kind::hello), {}};
    std::strncpy(hello.name, program_invocation_short_name, sizeof hello.name - 1);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || !send(&hello, sizeof hello)) {
        disconnect();
        return;
    }
    if (!is_watching_) {
        is_watching_ = true;
        reported_at_ = now;
        watch_.begin();
    }
}

// A record is sent as a whole or not at all. Returns false if it was not.
bool coordinated_budget::send(const void* record, std::size_t bytes) noexcept {
    return ::send(socket_, record, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(bytes);
}

void coordinated_budget::take_grants(clock::time_point now) noexcept {
    std::array<char, sizeof(coordinate::grant)> buffer{};
    for (int i = 0; i < max_grants; ++i) {
        const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        // 0: tmmd has closed it; an error; a record that is none of this version.
        const auto size = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        auto grant = size <= buffer.size() ? detail::parse_grant({buffer.data(), size}, now) : std::nullopt;
        if (!grant) {
            disconnect();
            return;
        }
        // One that waited while the process stood still is as old as the report that it answers, or older.
        grant->until -= now - reported_at_ + (reports_ - std::min(grant->number, reports_)) * report_after;
        grant_ = grant;
    }
}

void coordinated_budget::report(std::size_t budget_bytes, std::size_t held_bytes, clock::time_point now) noexcept {
    coordinate::report report{};
    report.header = header_of(coordinate::kind::report);
    report.number = ++reports_;
    const std::size_t bound = heap_.core_->largest_limit();
    report.budget_bytes = std::min<std::uint64_t>({budget_bytes, bound, max_told_bytes});
    report.used_bytes = std::min<std::uint64_t>(held_bytes, max_told_bytes);
    watch_.fill(report, now - reported_at_);
    detail::bound_reuses(report, bound);
    reported_at_ = now;
    // One that is not sent is followed by another; an end is seen at the next reading.
    if (socket_ >= 0) {
        static_cast<void>(send(&report, sizeof report));
    }
}

std::size_t coordinated_budget::budget_bytes(std::size_t held_bytes) noexcept {
    const clock::time_point now = now_();
    if (followed_) {
        machine_.adopt(*followed_);
    }
    const std::size_t own = machine_.budget_bytes(held_bytes);
    if (socket_ < 0) {
        connect(now);
    }
    if (socket_ >= 0) {
        connected_at_ = now;
        take_grants(now);
    } else if (now - connected_at_ > remembers_for) {
        stop_watching();
    }
    const bool is_granted = grant_ && now < grant_->until;
    const std::size_t budget = detail::granted_budget(grant_, {own, machine_.gives_way()}, held_bytes, now);
    followed_ = is_granted ? std::optional(budget) : std::nullopt;
    if (is_watching_ && now - reported_at_ >= report_after) {
        report(budget, held_bytes, now);
    }
    return budget;
}

}  // namespace soft
