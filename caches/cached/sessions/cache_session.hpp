// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CacheSession: finds out by a connection's first byte which protocol its client speaks, and speaks that.
#pragma once

#include <memory>
#include <string_view>

#include "caches/cached/service/operations.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

class CacheSession final : public Session {
public:
    // counters: of the worker that serves the connection.
    CacheSession(Service& service, Counters& counters, EndpointKind kind, Output& greeting);

    Progress handle(std::string_view input, Output& output, const Turn& turn) override;

private:
    std::unique_ptr<Session> session_for(char first_byte);

    Service& service_;
    Operations operations_;
    std::unique_ptr<Session> session_;
};

}  // namespace tmm::caches
