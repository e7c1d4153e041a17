// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/memcached_store.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

#include "caches/memcache/text_client.hpp"

namespace tmm::far {

namespace {

namespace memcache = caches::memcache;
using namespace std::chrono_literals;

// A slow server counts as absent: the second copy is on a disk.
constexpr timeval io_timeout{.tv_sec = 1, .tv_usec = 0};
// Of one call, and of each reply beside.
constexpr auto max_call_time = 2s;
constexpr auto max_reply_time = 50ms;
// About what two wakes take across processors.
constexpr auto max_spin = 50us;
constexpr auto max_end_time = 5s;
constexpr auto retry_after = 5s;
constexpr std::size_t keys_per_get = 32;
constexpr std::size_t drops_at_once = 256;
constexpr std::size_t input_bytes = 64 << 10;

Result<UniqueFd> connect_unix(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return Error::from_errno(ENAMETOOLONG, path);
    std::memcpy(address.sun_path, path.data(), path.size());
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &io_timeout, sizeof io_timeout);
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return Error::from_errno(errno, path);
    return socket;
}

Result<UniqueFd> connect_tcp(const std::string& server) {
    const std::size_t colon = server.rfind(':');
    if (colon == server.npos)
        return Error(EINVAL, "'" + server + "' is no HOST:PORT");
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(server.substr(0, colon).c_str(), server.substr(colon + 1).c_str(), &hints, &found);
        error != 0)
        return Error(EHOSTUNREACH, server + ": " + ::gai_strerror(error));
    UniqueFd socket(::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol));
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &io_timeout, sizeof io_timeout);
    const int result = ::connect(socket.get(), found->ai_addr, found->ai_addrlen);
    const int error = errno;
    ::freeaddrinfo(found);
    if (result != 0)
        return Error::from_errno(error, server);
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return socket;
}

}  // namespace

Result<std::unique_ptr<MemcachedStore>> MemcachedStore::make(const std::vector<std::string>& servers, bool spins) {
    std::unique_ptr<MemcachedStore> store(new MemcachedStore(servers, spins));
    for (std::size_t server = 0; server < servers.size(); ++server) {
        for (Side* const side : {&store->reader_, &store->writer_}) {
            if (auto connected = store->connect(server, side->connections[server]); !connected)
                return std::move(connected).error();
        }
    }
    return store;
}

MemcachedStore::~MemcachedStore() {
    // A server that takes its time for each keeps what is left.
    const auto end = std::chrono::steady_clock::now() + max_end_time;
    std::vector<EntryId> some;
    for (EntryId entry = 0; entry < stored_.size() && std::chrono::steady_clock::now() < end; ++entry) {
        if (stored_[entry])
            some.push_back(entry);
        if (some.size() == drops_at_once)
            drop(std::exchange(some, {}));
    }
    drop(some);
}

std::string MemcachedStore::key_of(EntryId entry) const {
    char key[48];
    std::snprintf(key, sizeof key, "tmm-far:%016llx:%x", static_cast<unsigned long long>(key_.program()), entry);
    return key;
}

Result<void> MemcachedStore::connect(std::size_t server, Connection& connection) const {
    auto socket = servers_[server].starts_with('/') ? connect_unix(servers_[server]) : connect_tcp(servers_[server]);
    if (!socket)
        return std::move(socket).error();
    ::setsockopt(socket->get(), SOL_SOCKET, SO_SNDTIMEO, &io_timeout, sizeof io_timeout);
    ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVTIMEO, &io_timeout, sizeof io_timeout);
    connection.socket = std::move(*socket);
    connection.in.clear();
    return {};
}

void MemcachedStore::fail(Connection& connection) const {
    connection.socket.reset();
    connection.again = std::chrono::steady_clock::now() + retry_after;
}

bool MemcachedStore::send(std::size_t server, Connection& connection, const std::string& text) const {
    if (!connection.socket && (std::chrono::steady_clock::now() < connection.again || !connect(server, connection))) {
        fail(connection);
        return false;
    }
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t bytes = ::send(connection.socket.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (bytes < 0 && errno == EINTR)
            continue;
        if (bytes <= 0) {
            fail(connection);
            return false;
        }
        sent += static_cast<std::size_t>(bytes);
    }
    return true;
}

bool MemcachedStore::receive(Connection& connection, std::size_t max_replies, const auto& visit) const {
    std::size_t used = 0;
    const auto end = std::chrono::steady_clock::now() + max_call_time + max_replies * max_reply_time;
    for (;;) {
        const auto parsed = memcache::parse_text_reply(std::string_view(connection.in).substr(used), {});
        if (parsed.step == memcache::Step::closed || (parsed.step == memcache::Step::request && max_replies-- == 0) ||
            std::chrono::steady_clock::now() > end) {
            fail(connection);
            return false;
        }
        if (parsed.step == memcache::Step::request) {
            used += parsed.used;
            if (visit(parsed.request)) {
                connection.in.erase(0, used);
                return true;
            }
            continue;
        }
        connection.in.erase(0, std::exchange(used, 0));
        const std::size_t before = connection.in.size();
        connection.in.resize(before + input_bytes);
        const auto read = [&](int flags) {
            return ::recv(connection.socket.get(), connection.in.data() + before, input_bytes, flags);
        };
        ssize_t bytes = -1;
        if (spins_ && connection.spin.is_worthwhile()) {
            for (const auto until = std::chrono::steady_clock::now() + max_spin;
                 (bytes = read(MSG_DONTWAIT)) < 0 && std::chrono::steady_clock::now() < until;) {
            }
            connection.spin.ended(bytes >= 0);
        }
        if (bytes < 0) {
            do
                bytes = read(0);
            while (bytes < 0 && errno == EINTR);
        }
        connection.in.resize(before + static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
        if (bytes <= 0) {
            fail(connection);
            return false;
        }
    }
}

void MemcachedStore::get(std::span<Get> gets) {
    std::vector<std::map<std::string, Get*>> wanted(servers_.size());
    for (Get& one : gets) {
        one.is_found = false;
        const std::string key = key_of(one.entry);
        wanted[ketama_.server_of(key)].emplace(key, &one);
    }
    std::vector<std::size_t> nr_ends(servers_.size());
    // All are asked before any is heard.
    for (std::size_t server = 0; server < servers_.size(); ++server) {
        std::string text;
        std::vector<std::string> keys;
        for (auto key = wanted[server].begin(); key != wanted[server].end();) {
            keys.push_back(key->first);
            if (++key == wanted[server].end() || keys.size() == keys_per_get) {
                memcache::append_get(text, keys);
                keys.clear();
                ++nr_ends[server];
            }
        }
        if (!text.empty() && !send(server, reader_.connections[server], text))
            nr_ends[server] = 0;
    }
    for (std::size_t server = 0; server < servers_.size(); ++server) {
        if (nr_ends[server] == 0)
            continue;
        receive(reader_.connections[server], wanted[server].size() + nr_ends[server], [&](const memcache::TextReply& reply) {
            if (reply.status != "VALUE")
                return --nr_ends[server] == 0;
            const auto found = wanted[server].find(std::string(reply.key));
            if (found == wanted[server].end() || reply.value.size() != sealed_bytes)
                return false;
            SealedPage sealed;
            std::copy(reply.value.begin(), reply.value.end(), sealed.begin());
            Get& one = *found->second;
            one.is_found = opener_.open(one.entry, one.version, sealed, one.page);
            return false;
        });
    }
}

void MemcachedStore::put(std::span<Put> puts) {
    std::vector<std::string> texts(servers_.size());
    std::vector<std::vector<Put*>> sent(servers_.size());
    SealedPage sealed;
    for (Put& one : puts) {
        const std::string key = key_of(one.entry);
        const std::size_t server = ketama_.server_of(key);
        closer_.close(one.entry, one.version, one.page, sealed);
        memcache::append_set(texts[server], key, {sealed.data(), sealed.size()});
        sent[server].push_back(&one);
        if (one.entry >= stored_.size())
            stored_.resize(std::size_t{one.entry} + 1);
        stored_[one.entry] = true;
    }
    for (std::size_t server = 0; server < servers_.size(); ++server) {
        std::size_t at = 0;
        if (texts[server].empty() || !send(server, writer_.connections[server], texts[server]))
            continue;
        receive(writer_.connections[server], sent[server].size(), [&](const memcache::TextReply& reply) {
            sent[server][at]->is_stored = reply.status == "STORED";
            return ++at == sent[server].size();
        });
    }
}

void MemcachedStore::drop(std::span<const EntryId> entries) {
    std::vector<std::string> texts(servers_.size());
    std::vector<std::size_t> left(servers_.size());
    const auto flush = [&](std::size_t server) {
        if (left[server] > 0 && send(server, writer_.connections[server], texts[server]))
            receive(writer_.connections[server], left[server], [&](const memcache::TextReply&) { return --left[server] == 0; });
        texts[server].clear();
        left[server] = 0;
    };
    for (const EntryId entry : entries) {
        const std::string key = key_of(entry);
        const std::size_t server = ketama_.server_of(key);
        memcache::append_delete(texts[server], key);
        if (entry < stored_.size())
            stored_[entry] = false;
        if (++left[server] == drops_at_once)
            flush(server);
    }
    for (std::size_t server = 0; server < servers_.size(); ++server)
        flush(server);
}

}  // namespace tmm::far
