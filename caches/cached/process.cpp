// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

namespace tmm::caches {
namespace {

// Besides those of connections: listeners, epoll and events of workers, the heap's.
constexpr rlim_t other_descriptors = 128;

Result<void> write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::trunc);
    file << text;
    file.close();
    if (!file)
        return Error(EIO, path + ": cannot be written");
    return {};
}

}  // namespace

Result<void> become_daemon() {
    const pid_t child = ::fork();
    if (child < 0)
        return Error::from_errno(errno, "fork");
    if (child > 0)
        ::_exit(0);
    if (::setsid() < 0)
        return Error::from_errno(errno, "setsid");
    const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!null || ::chdir("/") != 0)
        return Error::from_errno(errno, "/dev/null");
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(null.get(), descriptor);
    return {};
}

Result<void> drop_privileges(const std::string& user) {
    if (::geteuid() != 0)
        return {};
    if (user.empty())
        return Error(EPERM, "root needs option -u: a user to run as");
    const passwd* const found = ::getpwnam(user.c_str());
    if (found == nullptr)
        return Error(ENOENT, "option -u: there is no user '" + user + "'");
    if (found->pw_uid == 0)
        return {};
    if (::setgroups(0, nullptr) != 0 || ::setgid(found->pw_gid) != 0 || ::setuid(found->pw_uid) != 0)
        return Error::from_errno(errno, "option -u " + user);
    return {};
}

Result<void> set_limits(const Settings& settings) {
    rlimit limit{};
    const rlim_t wanted = settings.max_connections + other_descriptors;
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted;
        limit.rlim_max = std::max(limit.rlim_max, wanted);
        if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
            return Error::from_errno(errno, "option -c: too many for the limit on open files (ulimit -n)");
    }
    if (settings.dumps_core) {
        limit = {RLIM_INFINITY, RLIM_INFINITY};
        if (::setrlimit(RLIMIT_CORE, &limit) != 0 && ::getrlimit(RLIMIT_CORE, &limit) == 0) {
            limit.rlim_cur = limit.rlim_max;
            ::setrlimit(RLIMIT_CORE, &limit);
        }
    }
    // Locked memory cannot vanish: items are mapped later, and are not locked.
    if (settings.locks_memory && ::mlockall(MCL_CURRENT) != 0)
        return Error::from_errno(errno, "option -k");
    return {};
}

Result<void> write_pid_file(const std::string& path) {
    return write_file(path, std::to_string(::getpid()) + "\n");
}

Result<void> write_port_file(const std::string& path, const std::vector<Listener>& listeners) {
    std::string text;
    for (const Listener& listener : listeners) {
        int domain = 0;
        socklen_t size = sizeof domain;
        ::getsockopt(listener.socket.get(), SOL_SOCKET, SO_DOMAIN, &domain, &size);
        if (const std::uint16_t port = port_of(listener); port != 0)
            text += (domain == AF_INET ? "TCP INET: " : "TCP INET6: ") + std::to_string(port) + "\n";
    }
    // Readers take the file's appearance for its end.
    const std::string temporary = path + ".lck";
    if (auto written = write_file(temporary, text); !written)
        return written;
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return Error::from_errno(errno, path);
    return {};
}

Result<UniqueFd> take_signals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
        ::sigaddset(&signals, signal);
    ::signal(SIGPIPE, SIG_IGN);
    if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0)
        return Error::from_errno(errno, "sigmask");
    UniqueFd descriptor(::signalfd(-1, &signals, SFD_CLOEXEC));
    if (!descriptor)
        return Error::from_errno(errno, "signalfd");
    return descriptor;
}

}  // namespace tmm::caches
