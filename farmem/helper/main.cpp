// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// main() of tmm-far-helper(8): does for one connection, its standard input, what a pager needs root for: opens /dev/userfaultfd,
// and begins a userfaultfd that reports forks (CAP_SYS_PTRACE). Who may connect is up to the socket.
#include <fcntl.h>
#include <getopt.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

#include "base/messages/message_socket.hpp"
#include "farmem/helper/requests.hpp"
#include "farmem/uffd/userfault.hpp"

namespace tmm::far {
namespace {

constexpr const char* usage =
    "Usage: tmm-far-helper\n"
    "Serves a pager of far memory at its standard input, a socket that systemd accepted.\n"
    "\n"
    "  -h, --help              print this text\n"
    "      --version           print the version\n";

// A pager asks at once.
constexpr std::chrono::seconds max_wait{10};

// Any other file could take the call for another one.
bool is_userfault(int fd) {
    std::array<char, 64> target{};
    const ssize_t bytes = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target.data(), target.size());
    return bytes > 0 && std::string_view(target.data(), static_cast<std::size_t>(bytes)) == "anon_inode:[userfaultfd]";
}

Result<void> begin(std::vector<UniqueFd> files) {
    if (files.size() != 1 || !is_userfault(files[0].get()))
        return Error(EINVAL, "that is no userfaultfd");
    if (auto begun = Userfault::begin(std::move(files[0])); !begun)
        return std::move(begun).error();
    return {};
}

Result<void> answer(const MessageSocket& socket, MessageSocket::Message request) {
    UniqueFd device;
    Result<void> result;
    if (request.text == helper::open_device) {
        device = UniqueFd(::open("/dev/userfaultfd", O_RDWR | O_CLOEXEC));
        if (!device)
            result = Error::from_errno(errno, "/dev/userfaultfd");
    } else if (request.text == helper::begin_userfault) {
        result = begin(std::move(request.files));
    } else {
        result = Error(EINVAL, "no such request");
    }
    if (!result)
        return socket.send(std::string(helper::error_prefix) + result.error().message());
    const int file = device.get();
    return socket.send(helper::ok, {&file, device ? std::size_t{1} : 0});
}

}  // namespace
}  // namespace tmm::far

int main(int argc, char** argv) {
    constexpr int opt_version = 256;
    constexpr option options[] = {
        {"help", no_argument, nullptr, 'h'}, {"version", no_argument, nullptr, opt_version}, {nullptr, 0, nullptr, 0}};
    for (int letter = 0; (letter = ::getopt_long(argc, argv, "h", options, nullptr)) != -1;) {
        if (letter != 'h' && letter != opt_version)
            return 2;
        std::puts(letter == 'h' ? tmm::far::usage : "tmm-far-helper " TMM_VERSION);
        return 0;
    }
    const tmm::MessageSocket socket(tmm::UniqueFd(STDIN_FILENO));
    for (;;) {
        auto request = socket.receive(tmm::far::max_wait, 1);
        if (!request || !*request || !tmm::far::answer(socket, std::move(**request)))
            return 0;
    }
}
