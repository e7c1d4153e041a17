// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/soft/soft_server.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "tmmd/soft/soft_records.hpp"

namespace tmm::soft {

namespace {

// Waiting to be accepted. A call takes them all, so that a flood keeps nobody out for longer than it lasts. Refusing one takes
// 5 us.
constexpr int max_waiting = 1024;
// In a call, of new ones whose user is looked for: reads of /proc cost more than a refusal.
constexpr int max_looks = 256;
// In a call, of one program: more than one a second only fill its own queue.
constexpr int max_records = 4;

Result<sockaddr_un> address_of(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (name.size() >= sizeof address.sun_path)
        return Error::from_errno(ENAMETOOLONG, name);
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    return address;
}

}  // namespace

Result<SoftServer> SoftServer::open(const RootDir& root, const std::string& path, Processes processes) {
    const std::string name = root.name_of(path);
    const auto address = address_of(name);
    if (!address)
        return address.error();
    UniqueFd listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!listener)
        return Error::from_errno(errno, "socket");
    ::mkdirat(root.fd(), path.substr(0, path.rfind('/')).c_str(), 0755);
    ::unlinkat(root.fd(), path.c_str(), 0);
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
        ::fchmodat(root.fd(), path.c_str(), 0666, 0) != 0 || ::listen(listener.get(), max_waiting) != 0)
        return Error::from_errno(errno, name);
    return SoftServer(std::move(listener), std::move(processes));
}

void SoftServer::take_new() {
    UserBudget looks_of_number(max_per_user);
    int looks = 0;
    for (int i = 0; i < max_waiting; ++i) {
        UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket)
            return;
        ucred peer{};
        socklen_t size = sizeof peer;
        if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
            continue;
        if (looks == max_looks || !looks_of_number.take(peer.uid))
            continue;
        ++looks;
        const auto user = processes_.user_of(peer.pid, peer.uid);
        if (!user)
            continue;
        if (auto ticket = quota_.take(*user))
            connections_.emplace(++latest_id_, Connection{std::move(socket), peer.pid, *user, std::move(ticket)});
    }
}

bool SoftServer::take_records(std::uint64_t id, Connection& connection, core::AwakeTime now) {
    std::array<char, 2048> buffer{};
    for (int i = 0; i < max_records; ++i) {
        const ssize_t got = ::recv(connection.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0 || static_cast<std::size_t>(got) > buffer.size())
            return false;
        auto record = parse_record(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
        if (!record)
            return false;
        if (auto* const hello = std::get_if<Hello>(&*record)) {
            connection.name = std::move(hello->name);
            continue;
        }
        auto& report = std::get<Report>(*record);
        if (!connection.heap)
            connection.first_reported = now;
        connection.heap = report.heap;
        connection.heap->known_s = std::chrono::duration<double>(now - connection.first_reported).count();
        connection.heap->id = id;
        connection.heap->user = connection.user;
        connection.number = report.number;
        connection.reported = now;
    }
    return true;
}

void SoftServer::serve(core::AwakeTime now) {
    take_new();
    for (auto one = connections_.begin(); one != connections_.end();) {
        const bool stays = take_records(one->first, one->second, now);
        one = stays ? std::next(one) : connections_.erase(one);
    }
}

std::vector<core::SoftHeap> SoftServer::heaps(core::AwakeTime now) const {
    std::vector<core::SoftHeap> heaps;
    std::map<pid_t, Bytes> left;  // of a process's memory, for its further heaps
    for (const auto& [id, connection] : connections_) {
        if (!connection.heap || now - connection.reported >= silence)
            continue;
        core::SoftHeap& heap = heaps.emplace_back(*connection.heap);
        if (!left.contains(connection.process))
            left[connection.process] = processes_.memory_of(connection.process);
        heap.used = std::min(heap.used, left[connection.process]);
        left[connection.process] -= heap.used;
    }
    return heaps;
}

void SoftServer::grant(const std::vector<core::SoftGrant>& grants, bool urgent) {
    for (const core::SoftGrant& grant : grants) {
        const auto connection = connections_.find(grant.heap);
        if (connection == connections_.end())
            continue;
        connection->second.granted = grant.bytes;
        const std::string record = grant_record(connection->second.number, grant.bytes, urgent);
        // One that cannot be sent is followed by another.
        static_cast<void>(::send(connection->second.socket.get(), record.data(), record.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
    }
}

std::vector<SoftServer::Peer> SoftServer::peers() const {
    std::vector<Peer> peers;
    for (const auto& [id, connection] : connections_) {
        if (connection.heap)
            peers.push_back({connection.process, connection.user, connection.name, *connection.heap, connection.granted});
    }
    return peers;
}

}  // namespace tmm::soft
