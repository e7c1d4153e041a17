// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/pressure_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace soft::detail {
namespace {

std::string variable(const char* name) {
    const char* const value = secure_getenv(name);
    return value != nullptr ? value : "";
}

int connected_to(const std::string& path) noexcept {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        return -1;
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

}  // namespace

std::optional<std::string> parse_base64(std::string_view text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0) {
        return std::nullopt;
    }
    std::size_t padding = 0;
    while (padding < 2 && text.ends_with('=')) {
        text.remove_suffix(1);
        ++padding;
    }
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned waiting = 0;
    for (const char letter : text) {
        const std::size_t digit = digits.find(letter);
        if (digit == std::string_view::npos) {
            return std::nullopt;
        }
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        waiting += 6;
        if (waiting >= 8) {
            waiting -= 8;
            bytes += static_cast<char>((bits >> waiting) & 0xffU);
        }
    }
    return bytes;
}

PressureWatch PressureWatch::of_environment() {
    return {variable("MEMORY_PRESSURE_WATCH"), variable("MEMORY_PRESSURE_WRITE")};
}

PressureWatch::PressureWatch(std::string_view path, std::string_view write)
    : path_(path.starts_with('/') && path != "/dev/null" ? path : ""), write_(parse_base64(write).value_or("")) {}

PressureWatch::PressureWatch(PressureWatch&& other) noexcept
    : path_(std::move(other.path_)),
      write_(std::move(other.write_)),
      fd_(std::exchange(other.fd_, -1)),
      events_(other.events_),
      tried_(other.tried_) {}

PressureWatch::~PressureWatch() {
    close();
}

void PressureWatch::close() noexcept {
    if (fd_ >= 0) {
        ::close(fd_);
        fd_ = -1;
    }
}

void PressureWatch::forked() noexcept {
    close();
    tried_ = false;
}

// Once: without it, the heap still follows the machine.
void PressureWatch::open() noexcept {
    tried_ = true;
    struct stat status {};
    if (path_.empty() || ::stat(path_.c_str(), &status) != 0) {
        return;
    }
    const bool is_socket = S_ISSOCK(status.st_mode);
    // A FIFO that this process could write to, too, has no end.
    const int access = write_.empty() && !S_ISFIFO(status.st_mode) ? O_RDONLY : O_RDWR;
    fd_ = is_socket ? connected_to(path_) : ::open(path_.c_str(), access | O_CLOEXEC | O_NONBLOCK);
    events_ = S_ISREG(status.st_mode) ? POLLPRI : POLLIN;
    if (fd_ < 0 || write_.empty()) {
        return;
    }
    const ssize_t written =
        is_socket ? ::send(fd_, write_.data(), write_.size(), MSG_NOSIGNAL) : ::write(fd_, write_.data(), write_.size());
    if (written != static_cast<ssize_t>(write_.size())) {
        close();
    }
}

bool PressureWatch::was_told() noexcept {
    if (!tried_) {
        open();
    }
    pollfd one{fd_, events_, 0};
    if (fd_ < 0 || ::poll(&one, 1, 0) <= 0) {
        return false;
    }
    const bool told = (one.revents & events_) != 0;
    if (events_ == POLLIN) {
        std::array<char, 4096> bytes;
        const ssize_t got = told ? ::read(fd_, bytes.data(), bytes.size()) : 0;
        if (got == 0) {
            // The other side has gone.
            close();
        }
        return got > 0;
    }
    // A cgroup that is removed has an error for good.
    if ((one.revents & POLLERR) != 0) {
        close();
        return false;
    }
    return told;
}

}  // namespace soft::detail
