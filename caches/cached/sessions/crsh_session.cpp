// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/sessions/crsh_session.hpp"

#include <optional>
#include <utility>

#include "caches/cached/sessions/request_loop.hpp"

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
    return for_each_request(
        input, output, turn, [&](std::string_view rest) { return memcache::parse_crsh(rest, limits_); },
        [&](const auto& parsed, Progress& progress) {
            progress.closes = parsed.step != Step::request;
            if (progress.closes)
                return false;
            execute(parsed.request, output, progress);
            return true;
        });
}

void CrshSession::execute(const memcache::CrshRequest& request, Output& output, Progress& progress) {
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
}

}  // namespace tmm::caches
