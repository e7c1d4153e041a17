// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BinarySession: memcached's binary protocol on one connection.
#pragma once

#include <string_view>

#include "caches/cached/service/operations.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/memcache/binary_request.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

class BinarySession final : public Session {
public:
    BinarySession(Service& service, Operations& operations)
        : service_(service), operations_(operations), limits_(service.limits()), is_known_(!service.passwords.are_needed()) {}

    Progress handle(std::string_view input, Output& output, const Turn& turn) override;

private:
    struct Request;
    void execute(const memcache::BinaryRequest& parsed, Output& output, Progress& progress);
    void retrieve(const Request& request, Output& output);
    void store(const Request& request, Output& output);
    void add(const Request& request, Output& output);
    void remove(const Request& request, Output& output);
    void flush(const Request& request, Output& output);
    void statistics(const Request& request, Output& output);
    void authenticate(const Request& request, Output& output);

    Service& service_;
    Operations& operations_;
    const memcache::Limits limits_;
    bool is_known_;
};

}  // namespace tmm::caches
