// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/pager_client.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace tmm::far {

namespace {

using namespace std::chrono_literals;

constexpr auto start_timeout = 10s;
constexpr int retry_ms = 5;

// In a session of its own, and no child of a command that does not know it.
Result<void> start_pager(const std::string& path, const std::string& program) {
    const pid_t child = ::fork();
    if (child < 0)
        return Error::from_errno(errno, "fork");
    if (child == 0) {
        ::setsid();
        if (::fork() != 0)
            ::_exit(0);
        const int none = ::open("/dev/null", O_RDWR);
        ::dup2(none, 0);
        ::dup2(none, 1);
        (void)!::chdir("/");
        const std::string socket = "--socket=" + path;
        ::execlp(program.c_str(), "tmm-fard", socket.c_str(), "--exit-when-idle", nullptr);
        ::_exit(127);
    }
    ::waitpid(child, nullptr, 0);
    return {};
}

}  // namespace

Result<std::string> default_socket() {
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    const std::string folder =
        runtime && *runtime == '/' ? std::string(runtime) + "/tmm-far" : "/tmp/tmm-far-" + std::to_string(::geteuid());
    struct stat status {};
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return Error::from_errno(errno, folder);
    if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
        (status.st_mode & 077) != 0)
        return Error(EPERM, folder + " is not a folder of this user alone");
    return folder + "/pager";
}

Result<PagerClient> PagerClient::connect(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return Error::from_errno(ENAMETOOLONG, path);
    std::memcpy(address.sun_path, path.data(), path.size());
    UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return Error::from_errno(errno, path);
    // It will have the memory of the command.
    ucred peer{};
    socklen_t length = sizeof peer;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || peer.uid != ::geteuid())
        return Error(EPERM, path + ": the pager is another user's");
    return PagerClient(MessageSocket(std::move(socket)));
}

Result<PagerClient> PagerClient::connect_or_start(const std::string& path, const std::string& program) {
    auto client = connect(path);
    if (client || (client.error().code() != ENOENT && client.error().code() != ECONNREFUSED))
        return client;
    if (auto started = start_pager(path, program); !started)
        return std::move(started).error();
    for (const auto end = std::chrono::steady_clock::now() + start_timeout; !client && std::chrono::steady_clock::now() < end;) {
        ::poll(nullptr, 0, retry_ms);
        client = connect(path);
    }
    if (!client)
        return std::move(client).error().with_context("the pager does not start");
    return client;
}

Result<std::string> PagerClient::ask(const std::string& command) const {
    if (auto sent = socket_.send(command); !sent)
        return std::move(sent).error();
    auto answer = socket_.receive(no_end);
    if (!answer)
        return std::move(answer).error();
    if (!*answer)
        return Error(EINTR, "interrupted");
    const std::string& text = (*answer)->text;
    constexpr std::string_view error = "error: ";
    if (text.starts_with(error))
        return Error(EIO, text.substr(error.size()));
    const std::size_t line = text.find('\n');
    return line == text.npos ? std::string() : text.substr(line + 1);
}

}  // namespace tmm::far
