// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/sessions/text_session.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "caches/cached/sessions/meta_commands.hpp"
#include "caches/cached/sessions/request_loop.hpp"
#include "caches/memcache/numbers.hpp"

namespace tmm::caches {
namespace {

using memcache::append_number;
using memcache::parse_number;
using memcache::Step;
using memcache::take_word;
using memcache::TextRequest;
using memcache::TextVerb;

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t max_keys_per_turn = 256;

void reply(Output& output, const TextRequest& request, std::string_view line) {
    if (!request.noreply)
        output.text().append(line).append(line_end);
}

std::string_view words_of(StoreResult result) {
    switch (result) {
        case StoreResult::stored:
            return "STORED";
        case StoreResult::not_stored:
            return "NOT_STORED";
        case StoreResult::exists:
            return "EXISTS";
        case StoreResult::not_found:
            return "NOT_FOUND";
        case StoreResult::too_large:
            return "SERVER_ERROR object too large for cache";
        case StoreResult::no_memory:
            return "SERVER_ERROR out of memory storing object";
    }
    return "ERROR";
}

StoreMode mode_of(TextVerb verb) {
    switch (verb) {
        case TextVerb::add:
            return StoreMode::add;
        case TextVerb::replace:
            return StoreMode::replace;
        case TextVerb::append:
            return StoreMode::append;
        case TextVerb::prepend:
            return StoreMode::prepend;
        case TextVerb::cas:
            return StoreMode::cas;
        default:
            return StoreMode::set;
    }
}

void add_item(Output& output, std::string_view key, Item item, bool with_cas) {
    std::string& text = output.text();
    text.append("VALUE ").append(key).append(" ");
    append_number(text, item.flags);
    text += ' ';
    append_number(text, item.value.size());
    if (with_cas) {
        text += ' ';
        append_number(text, item.cas);
    }
    text += line_end;
    output.add(std::move(item.value));
    output.text() += line_end;
}

}  // namespace

Progress TextSession::handle(std::string_view input, Output& output, const Turn& turn) {
    return for_each_request(
        input, output, turn, [&](std::string_view rest) { return memcache::parse_text(rest, limits_); },
        [&](const auto& parsed, Progress& progress) {
            progress.closes = parsed.step == Step::closed;
            if (parsed.step == Step::request)
                return execute(parsed.request, output, progress, turn);
            // Those who are not known get nothing to guess from.
            const std::string_view refusal = is_known_ ? parsed.refusal : "CLIENT_ERROR unauthenticated";
            if (parsed.step == Step::refused && !refusal.empty())
                output.text().append(refusal).append(line_end);
            return !progress.closes;
        });
}

bool TextSession::execute(const TextRequest& request, Output& output, Progress& progress, const Turn& turn) {
    if (!is_known_) {
        authenticate(request, output);
        progress.closes = request.verb == TextVerb::quit;
        return true;
    }
    switch (request.verb) {
        case TextVerb::get:
        case TextVerb::gets:
        case TextVerb::gat:
        case TextVerb::gats:
            return retrieve(request, output, turn);
        case TextVerb::set:
        case TextVerb::add:
        case TextVerb::replace:
        case TextVerb::append:
        case TextVerb::prepend:
        case TextVerb::cas:
            store(request, output);
            break;
        case TextVerb::touch:
            reply(output, request, operations_.touch(request.key, request.expiry) ? "TOUCHED" : "NOT_FOUND");
            break;
        case TextVerb::remove:
            reply(output, request,
                  operations_.remove(request.key, std::nullopt) == RemoveResult::removed ? "DELETED" : "NOT_FOUND");
            break;
        case TextVerb::incr:
        case TextVerb::decr:
            add(request, output);
            break;
        case TextVerb::flush_all:
            if (!service_.settings.allows_flush) {
                reply(output, request, "CLIENT_ERROR flush_all not allowed");
                break;
            }
            operations_.flush(request.expiry);
            reply(output, request, "OK");
            break;
        case TextVerb::stats:
            statistics(request.arguments, output);
            break;
        case TextVerb::version:
            output.text().append("VERSION ").append(protocol_version).append(line_end);
            break;
        case TextVerb::verbosity:
            reply(output, request, "OK");
            break;
        case TextVerb::quit:
            progress.closes = true;
            break;
        case TextVerb::meta:
            run_meta(request, service_, operations_, output);
            break;
        case TextVerb::management:
            manage(request.arguments, output, progress);
            break;
    }
    return true;
}

bool TextSession::retrieve(const TextRequest& request, Output& output, const Turn& turn) {
    const bool touches = request.verb == TextVerb::gat || request.verb == TextVerb::gats;
    const bool with_cas = request.verb == TextVerb::gets || request.verb == TextVerb::gats;
    std::string_view keys = request.arguments.substr(keys_done_);
    std::size_t number = 0;
    for (std::string_view key = take_word(keys); !key.empty(); key = take_word(keys)) {
        if (number++ == max_keys_per_turn || output.bytes() > turn.max_output_bytes)
            return false;
        std::optional<Item> item = touches ? operations_.get_and_touch(key, request.expiry) : operations_.get(key);
        if (item)
            add_item(output, key, std::move(*item), with_cas);
        keys_done_ = request.arguments.size() - keys.size();
    }
    keys_done_ = 0;
    output.text() += "END\r\n";
    return true;
}

void TextSession::store(const TextRequest& request, Output& output) {
    if (request.too_large || !service_.fits(request.key.size(), request.value.size())) {
        operations_.refuse_value(request.key);
        reply(output, request, words_of(StoreResult::too_large));
        return;
    }
    StoreRequest wanted{.mode = mode_of(request.verb),
                        .key = request.key,
                        .value = request.value,
                        .flags = request.flags,
                        .expiry = request.expiry};
    if (request.verb == TextVerb::cas)
        wanted.compare_cas = request.number;
    reply(output, request, words_of(operations_.store(wanted).result));
}

void TextSession::add(const TextRequest& request, Output& output) {
    const Changed changed =
        operations_.add({.key = request.key, .increments = request.verb == TextVerb::incr, .delta = request.number});
    switch (changed.result) {
        case DeltaResult::done:
        case DeltaResult::created:
            reply(output, request, std::to_string(changed.number));
            break;
        case DeltaResult::not_found:
            reply(output, request, "NOT_FOUND");
            break;
        case DeltaResult::non_numeric:
            reply(output, request, "CLIENT_ERROR cannot increment or decrement non-numeric value");
            break;
        case DeltaResult::exists:
        case DeltaResult::no_memory:
            reply(output, request, "SERVER_ERROR out of memory");
            break;
    }
}

void TextSession::statistics(std::string_view arguments, Output& output) {
    const std::string_view what = take_word(arguments);
    if (what == "reset") {
        service_.reset_statistics();
        output.text() += "RESET\r\n";
        return;
    }
    if (what == "detail") {
        const std::string_view mode = take_word(arguments);
        const bool known = mode == "on" || mode == "off" || mode == "dump";
        output.text() += mode == "dump" ? "END\r\n" : known ? "OK\r\n" : "CLIENT_ERROR usage: stats detail on|off|dump\r\n";
        return;
    }
    if (what == "cachedump") {
        dump_keys(arguments, service_, output);
        return;
    }
    const std::vector<Statistic> statistics = service_.statistics(what);
    if (statistics.empty() && what != "slabs" && what != "items" && what != "sizes") {
        output.text() += "ERROR\r\n";
        return;
    }
    for (const auto& [name, value] : statistics)
        output.text().append("STAT ").append(name).append(" ").append(value).append(line_end);
    output.text() += "END\r\n";
}

void TextSession::manage(std::string_view line, Output& output, Progress& progress) {
    const std::string_view command = take_word(line);
    const std::string_view argument = take_word(line);
    std::string& text = output.text();
    if (command == "debugtime" && service_.settings.moves_clock) {
        // "p" stops the clock in memcached; here it only ever moves by hand and by itself.
        const auto seconds = parse_number<std::int64_t>(argument);
        if (seconds)
            service_.move_clock(*seconds);
        text += "OK\r\n";
    } else if (command == "shutdown") {
        const bool gracefully = argument == "graceful";
        if (!service_.settings.allows_shutdown) {
            text += "ERROR: shutdown not enabled\r\n";
        } else if (!argument.empty() && !gracefully) {
            text += "CLIENT_ERROR invalid shutdown mode\r\n";
        } else {
            progress.closes = true;
            service_.shut_down(gracefully);
        }
    } else if (command == "cache_memlimit") {
        const auto megabytes = parse_number<std::uint32_t>(argument);
        if (argument.empty()) {
            text += "ERROR\r\n";
        } else if (!megabytes) {
            text += "CLIENT_ERROR bad command line format\r\n";
        } else if (*megabytes < 8) {
            text += "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n";
        } else {
            service_.set_limit(std::uint64_t{*megabytes} << 20);
            text += "OK\r\n";
        }
    } else if (command == "lru_crawler" && argument == "metadump") {
        dump_metadata(service_, output);
    } else {
        // There are no slabs, and no LRU to tune.
        text += "ERROR\r\n";
    }
}

// The first command is a "set" of any key, whose value is "user password".
void TextSession::authenticate(const TextRequest& request, Output& output) {
    if (request.verb != TextVerb::set || request.too_large) {
        output.text() += "CLIENT_ERROR unauthenticated\r\n";
        return;
    }
    operations_.counters().add(Count::auth_cmds);
    const std::size_t blank = request.value.find(' ');
    if (blank == std::string_view::npos) {
        operations_.counters().add(Count::auth_errors);
        output.text() += "CLIENT_ERROR bad authentication token format\r\n";
        return;
    }
    is_known_ = service_.passwords.match(request.value.substr(0, blank), request.value.substr(blank + 1));
    if (!is_known_)
        operations_.counters().add(Count::auth_errors);
    output.text() += is_known_ ? "STORED\r\n" : "CLIENT_ERROR authentication failure\r\n";
}

}  // namespace tmm::caches
