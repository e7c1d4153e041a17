// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RespSession: the part of Redis' protocol that caches need, on one connection: GET, SET, MGET, DEL, EXISTS, EXPIRE, TTL and what
// clients send first.
#pragma once

#include <string_view>
#include <vector>

#include "caches/cached/service/operations.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/memcache/resp_request.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

class RespSession final : public Session {
public:
    RespSession(Service& service, Operations& operations)
        : service_(service), operations_(operations), limits_(service.limits()), is_known_(!service.passwords.are_needed()) {}

    Progress handle(std::string_view input, Output& output, const Turn& turn) override;

private:
    using Words = std::vector<std::string_view>;

    // Returns false if keys are left for the next turn.
    bool execute(const memcache::RespRequest& request, Output& output, Progress& progress, const Turn& turn);
    bool get_many(const Words& words, Output& output, const Turn& turn);
    void get(std::string_view key, Output& output);
    void set(const memcache::RespRequest& request, Output& output);
    void remove(const Words& words, Output& output);
    void exists(const Words& words, Output& output);
    void time_to_live(std::string_view key, std::int64_t unit, Output& output);
    void expire(const Words& words, std::int64_t unit, Output& output);
    void hello(const Words& words, Output& output);
    void authenticate(std::string_view user, std::string_view password, Output& output);
    void information(Output& output);

    Service& service_;
    Operations& operations_;
    const memcache::Limits limits_;
    bool is_known_;
    std::size_t keys_done_ = 0;  // of the MGET at the start of the input
};

}  // namespace tmm::caches
