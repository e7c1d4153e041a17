// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CrshSession: the protocol of ccache's storage helpers on one connection.
#pragma once

#include <string_view>

#include "caches/cached/service/operations.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/memcache/crsh_request.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

class CrshSession final : public Session {
public:
    // Sends the greeting.
    CrshSession(Service& service, Operations& operations, Output& greeting);

    Progress handle(std::string_view input, Output& output, const Turn& turn) override;

private:
    void execute(const memcache::CrshRequest& request, Output& output, Progress& progress);

    Service& service_;
    Operations& operations_;
    const memcache::Limits limits_;
};

}  // namespace tmm::caches
