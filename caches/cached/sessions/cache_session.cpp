// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/sessions/cache_session.hpp"

#include "caches/cached/sessions/binary_session.hpp"
#include "caches/cached/sessions/crsh_session.hpp"
#include "caches/cached/sessions/resp_session.hpp"
#include "caches/cached/sessions/text_session.hpp"

namespace tmm::caches {

CacheSession::CacheSession(Service& service, Counters& counters, EndpointKind kind, Output& greeting)
    : service_(service), operations_(service.store, counters, service.time) {
    if (kind == EndpointKind::crsh)
        session_ = std::make_unique<CrshSession>(service, operations_, greeting);
}

Progress CacheSession::handle(std::string_view input, Output& output, const Turn& turn) {
    if (!session_)
        session_ = session_for(input.front());
    if (!session_)
        return {.closes = true};
    return session_->handle(input, output, turn);
}

std::unique_ptr<Session> CacheSession::session_for(char first_byte) {
    const bool is_binary = static_cast<unsigned char>(first_byte) == memcache::binary_request_magic;
    const Binding binding = service_.settings.binding;
    if ((binding == Binding::binary && !is_binary) || (binding == Binding::ascii && is_binary))
        return nullptr;
    if (is_binary)
        return std::make_unique<BinarySession>(service_, operations_);
    if (first_byte == '*')
        return std::make_unique<RespSession>(service_, operations_);
    return std::make_unique<TextSession>(service_, operations_);
}

}  // namespace tmm::caches
