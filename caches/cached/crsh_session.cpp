// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/crsh_session.hpp"

#include <optional>
#include <utility>

#include "caches/memcache/crsh_request.hpp"

namespace tmm::caches {
namespace {

using memcache::CrshStatus;
using memcache::CrshVerb;
using memcache::Step;

void add_status(Output& output, CrshStatus status) {
    output.text() += static_cast<char>(status);
}

void fail(Output& output, std::string_view message) {
    add_status(output, CrshStatus::error);
    memcache::append_crsh_message(output.text(), message);
}

}  // namespace

CrshSession::CrshSession(Service& service, Operations& operations, Output& greeting)
    : service_(service), operations_(operations), limits_(service.limits()) {
    greeting.text() += memcache::crsh_greeting();
}

Progress CrshSession::handle(std::string_view input, Output& output, const Turn& turn) {
    Progress progress;
    for (std::size_t requests = 0; progress.used < input.size(); ++requests) {
        if (requests == turn.max_requests || output.bytes() > turn.max_output_bytes) {
            progress.again = true;
            break;
        }
        const auto parsed = memcache::parse_crsh(input.substr(progress.used), limits_);
        if (parsed.step == Step::incomplete) {
            progress.wanted = parsed.wanted;
            break;
        }
        if (parsed.step != Step::request) {
            progress.closes = true;
            break;
        }
        const auto& request = parsed.request;
        switch (request.verb) {
            case CrshVerb::get:
                if (std::optional<Item> item = operations_.get(request.key)) {
                    memcache::append_crsh_value_header(output.text(), item->value.size());
                    output.add(std::move(item->value));
                } else {
                    add_status(output, CrshStatus::noop);
                }
                break;
            case CrshVerb::put: {
                if (request.too_large || !service_.fits(request.key.size(), request.value.size())) {
                    operations_.refuse_value(request.key);
                    fail(output, "the value is too large");
                    break;
                }
                const Stored stored = operations_.store(
                    {.mode = request.overwrite ? StoreMode::set : StoreMode::add, .key = request.key, .value = request.value});
                add_status(output, stored.result == StoreResult::stored ? CrshStatus::ok : CrshStatus::noop);
                break;
            }
            case CrshVerb::remove:
                add_status(output, operations_.remove(request.key, std::nullopt) == RemoveResult::removed ? CrshStatus::ok
                                                                                                          : CrshStatus::noop);
                break;
            case CrshVerb::stop:
                // The server serves others as well: it ends this connection only.
                add_status(output, CrshStatus::ok);
                progress.closes = true;
                break;
            case CrshVerb::info:
                memcache::append_crsh_message(output.text(), "tmm-cached " TMM_VERSION);
                output.text() += '\0';
                break;
        }
        progress.used += parsed.used;
        progress.swallow_bytes = parsed.swallow_bytes;
        if (parsed.swallow_bytes > 0 || progress.closes)
            break;
    }
    return progress;
}

}  // namespace tmm::caches
