// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TextSession: memcached's text protocol on one connection.
#pragma once

#include <cstddef>
#include <string_view>

#include "caches/cached/service/operations.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/memcache/text_request.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

class TextSession final : public Session {
public:
    TextSession(Service& service, Operations& operations)
        : service_(service), operations_(operations), limits_(service.limits()), is_known_(!service.passwords.are_needed()) {}

    Progress handle(std::string_view input, Output& output, const Turn& turn) override;

private:
    // Returns false if keys of a "get" are left for the next turn.
    bool execute(const memcache::TextRequest& request, Output& output, Progress& progress, const Turn& turn);
    bool retrieve(const memcache::TextRequest& request, Output& output, const Turn& turn);
    void store(const memcache::TextRequest& request, Output& output);
    void add(const memcache::TextRequest& request, Output& output);
    void statistics(std::string_view arguments, Output& output);
    void manage(std::string_view line, Output& output, Progress& progress);
    void authenticate(const memcache::TextRequest& request, Output& output);

    Service& service_;
    Operations& operations_;
    const memcache::Limits limits_;
    bool is_known_;
    std::size_t keys_done_ = 0;  // of the "get" at the start of the input: bytes of its keys
};

}  // namespace tmm::caches
