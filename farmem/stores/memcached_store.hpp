// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MemcachedStore: keeps sealed pages in memcached servers (or tmm-cached). They evict, restart and lie: it is never the only
// copy. A server that does not answer is left alone for a while; its pages count as not found, or not stored.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "farmem/stores/ketama.hpp"
#include "farmem/stores/seal.hpp"
#include "farmem/stores/short_spin.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class MemcachedStore : public Store {
public:
    // servers: as of Ketama. spins: who waits for an answer looks for it for a moment before it sleeps. Error: one of them cannot
    // be reached.
    static Result<std::unique_ptr<MemcachedStore>> make(const std::vector<std::string>& servers, bool spins = true);
    // Deletes all records: the protocol has no partitions.
    ~MemcachedStore() override;

    void get(std::span<Get> gets) override;
    void put(std::span<Put> puts) override;
    void drop(std::span<const EntryId> entries) override;
    [[nodiscard]] bool is_evictable() const override { return true; }
    [[nodiscard]] std::string name() const override { return "memcached"; }

private:
    // To one server, of one thread.
    struct Connection {
        UniqueFd socket;
        std::string in;
        ShortSpin spin;
        std::chrono::steady_clock::time_point again{};
    };
    struct Side {
        std::vector<Connection> connections;  // by server
    };

    MemcachedStore(const std::vector<std::string>& servers, bool spins) : servers_(servers), spins_(spins), ketama_(servers) {
        reader_.connections.resize(servers.size());
        writer_.connections.resize(servers.size());
    }
    std::string key_of(EntryId entry) const;
    Result<void> connect(std::size_t server, Connection& connection) const;
    // Connects if need be, and sends. Returns whether that went well.
    bool send(std::size_t server, Connection& connection, const std::string& text) const;
    void fail(Connection& connection) const;
    // Calls visit(const memcache::TextReply&) for each answer until it returns true. Returns whether that happened. A server that
    // gives more answers than max_replies, or drips them, would keep the program waiting for ever.
    bool receive(Connection& connection, std::size_t max_replies, const auto& visit) const;

    std::vector<std::string> servers_;
    const bool spins_;
    Ketama ketama_;
    SealKey key_ = SealKey::make();
    Seal opener_{key_};
    Seal closer_{key_};
    Side reader_;
    Side writer_;
    std::vector<bool> stored_;  // by entry, for the end
};

}  // namespace tmm::far
