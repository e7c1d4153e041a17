// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// main() of tmm-fard(8): opens what it needs, starts the keeper, and runs the pager.
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/units.hpp"
#include "farmem/helper/requests.hpp"
#include "farmem/pager/control.hpp"
#include "farmem/pager/keeper.hpp"
#include "farmem/pager/pager.hpp"

namespace tmm::far {
namespace {

constexpr int max_lock_tries = 100;
constexpr int lock_pause_ms = 10;

constexpr const char* usage =
    "Usage: tmm-fard [OPTION]...\n"
    "Keeps the far memory of one user's programs. tmm-far starts it by itself.\n"
    "\n"
    "  -s, --socket=PATH       where hands and tmm-far find it\n"
    "  -i, --exit-when-idle    end after the last program\n"
    "  -l, --link=SIZE         that the link to the stores carries a second, each way;\n"
    "                          programs share it by their weights\n"
    "      --latency=US        microseconds that a reply takes, beside what the store needs:\n"
    "                          to try a farther store\n"
    "      --without=PART,...  fair, demand-first, drop-late or reissue: to compare\n"
    "      --helper=PATH       socket of tmm-far-helper, for users without rights\n"
    "  -h, --help              print this text\n"
    "      --version           print the version\n";

// Takes the place of a socket that nobody listens at.
Result<UniqueFd> listen_at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        return Error(ENAMETOOLONG, path);
    std::memcpy(address.sun_path, path.data(), path.size());
    // Open as long as the process: it tells a living pager from what a dead one left.
    const int lock = ::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0)
        return Error::from_errno(errno, path + ".lock");
    // The keeper of one that was killed lets it go.
    for (int tries = 0; ::flock(lock, LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (errno != EWOULDBLOCK || tries == max_lock_tries)
            return Error::from_errno(errno, path + ".lock");
        ::poll(nullptr, 0, lock_pause_ms);
    }
    ::unlink(path.c_str());
    UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    ::umask(077);
    if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket.get(), SOMAXCONN) != 0)
        return Error::from_errno(errno, path);
    return socket;
}

Result<void> run(const std::string& path, const std::string& helper, bool ends_when_idle, std::uint64_t link_bytes_per_s,
                 nanoseconds latency, const LinkRules& rules, const Log& log) {
    // Some of each process. The usual limit is that of programs which use select(2).
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    // Comes first: it shares whatever is opened later.
    if (auto started = start_keeper(); !started)
        return started;
    auto listener = listen_at(path);
    if (!listener)
        return std::move(listener).error();
    sigset_t ends{};
    ::sigaddset(&ends, SIGTERM);
    ::sigaddset(&ends, SIGINT);
    ::sigprocmask(SIG_BLOCK, &ends, nullptr);
    const UniqueFd stop(::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK));
    ::signal(SIGPIPE, SIG_IGN);
    auto root = RootDir::open("/");
    if (!root)
        return std::move(root).error();
    Pager(std::move(*listener), Device(helper), std::move(*root), ends_when_idle, link_bytes_per_s, latency, rules, log)
        .run(stop.get());
    ::unlink(path.c_str());
    return {};
}

}  // namespace
}  // namespace tmm::far

int main(int argc, char** argv) {
    constexpr std::uint64_t min_link_bytes_per_s = 1 << 20;
    const tmm::Log log("tmm-fard", tmm::LogLevel::info, false);
    constexpr std::uint64_t max_latency_us = 1'000'000;
    enum LongOnly { opt_version = 256, opt_without, opt_helper, opt_latency };
    constexpr option options[] = {{"socket", required_argument, nullptr, 's'},
                                  {"exit-when-idle", no_argument, nullptr, 'i'},
                                  {"link", required_argument, nullptr, 'l'},
                                  {"without", required_argument, nullptr, opt_without},
                                  {"helper", required_argument, nullptr, opt_helper},
                                  {"help", no_argument, nullptr, 'h'},
                                  {"version", no_argument, nullptr, opt_version},
                                  {"latency", required_argument, nullptr, opt_latency},
                                  {nullptr, 0, nullptr, 0}};
    std::string path;
    std::string helper(tmm::far::helper::default_socket);
    bool ends_when_idle = false;
    std::uint64_t link_bytes_per_s = 0;
    tmm::far::nanoseconds latency{};
    tmm::far::LinkRules rules;
    for (int letter = 0; (letter = ::getopt_long(argc, argv, "s:il:h", options, nullptr)) != -1;) {
        switch (letter) {
            case 's':
                path = optarg;
                break;
            case 'i':
                ends_when_idle = true;
                break;
            case 'l': {
                const auto bytes = tmm::parse_bytes(optarg);
                if (!bytes || *bytes < min_link_bytes_per_s) {
                    log.error("--link=SIZE is at least 1M");
                    return 2;
                }
                link_bytes_per_s = *bytes;
                break;
            }
            case opt_latency: {
                const auto us = tmm::parse_uint(optarg);
                if (!us || *us > max_latency_us) {
                    log.error("--latency=MICROSECONDS is at most a second");
                    return 2;
                }
                latency = std::chrono::microseconds(*us);
                break;
            }
            case opt_without: {
                const auto parts = tmm::far::parse_without(optarg);
                if (!parts) {
                    log.error(parts.error().message());
                    return 2;
                }
                rules = parts->link;
                break;
            }
            case opt_helper:
                helper = optarg;
                break;
            case 'h':
                std::fputs(tmm::far::usage, stdout);
                return 0;
            case opt_version:
                std::puts("tmm-fard " TMM_VERSION);
                return 0;
            default:
                return 2;
        }
    }
    if (optind < argc || path.empty()) {
        log.error("--socket=PATH is needed, and nothing else (see tmm-fard --help)");
        return 2;
    }
    if (const auto result = tmm::far::run(path, helper, ends_when_idle, link_bytes_per_s, latency, rules, log); !result) {
        log.error(result.error().message());
        return 1;
    }
    return 0;
}
