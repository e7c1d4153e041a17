// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Meta commands of memcached's text protocol, and its commands that list keys.
#pragma once

#include <string_view>

#include "caches/cached/service/operations.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/memcache/text_request.hpp"
#include "caches/net/output.hpp"

namespace tmm::caches {

// Executes the meta command of a request and appends the reply.
void run_meta(const memcache::TextRequest& request, const Service& service, Operations& operations, Output& output);

// "stats cachedump CLASS LIMIT": some keys. There is one class only.
void dump_keys(std::string_view arguments, const Service& service, Output& output);

// "lru_crawler metadump all": all keys, as far as they fit into a reply.
void dump_metadata(const Service& service, Output& output);

}  // namespace tmm::caches
