// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/device.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/messages/message_socket.hpp"
#include "farmem/helper/requests.hpp"

namespace tmm::far {

namespace {

constexpr std::chrono::seconds helper_timeout{10};

// Returns the file of the answer, if it has one.
Result<UniqueFd> ask(const std::string& path, std::string_view request, int file) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return Error::from_errno(ENAMETOOLONG, path);
    std::memcpy(address.sun_path, path.data(), path.size());
    UniqueFd connection(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!connection || ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        return Error(error, std::string("/dev/userfaultfd needs root or tmm-far-helper: ") +
                                (error == EACCES ? "this user is not in the group tmm-far" : path + ": " + std::strerror(error)) +
                                " (see tmm-far(1))");
    }
    const MessageSocket socket(std::move(connection));
    if (auto sent = socket.send(request, {&file, file >= 0 ? std::size_t{1} : 0}); !sent)
        return std::move(sent).error();
    auto answer = socket.receive(helper_timeout, 1);
    if (!answer)
        return std::move(answer).error().with_context("tmm-far-helper");
    if (!*answer)
        return Error(ETIMEDOUT, "tmm-far-helper does not answer");
    if ((*answer)->text != helper::ok)
        return Error(EPERM, "tmm-far-helper: " + (*answer)->text);
    return (*answer)->files.empty() ? UniqueFd() : std::move((*answer)->files[0]);
}

}  // namespace

Result<void> Device::open() {
    if (fd_)
        return {};
    UniqueFd fd(::open("/dev/userfaultfd", O_RDWR | O_CLOEXEC));
    if (!fd && errno != EACCES && errno != EPERM)
        return Error::from_errno(errno, "/dev/userfaultfd");
    if (!fd) {
        auto passed = ask(helper_, helper::open_device, -1);
        if (!passed)
            return std::move(passed).error();
        fd = std::move(*passed);
    }
    if (auto checked = Userfault::check(fd.get()); !checked)
        return checked;
    fd_ = std::move(fd);
    return {};
}

Result<Userfault> Device::begin(UniqueFd fd) const {
    // One that is refused can be asked for again.
    auto begun = Userfault::begin(UniqueFd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0)));
    if (begun || begun.error().code() != EPERM)
        return begun;
    if (auto done = ask(helper_, helper::begin_userfault, fd.get()); !done)
        return std::move(done).error();
    return Userfault(std::move(fd));
}

}  // namespace tmm::far
