// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/sessions/meta_commands.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "caches/memcache/base64.hpp"
#include "caches/memcache/numbers.hpp"

namespace tmm::caches {
namespace {

using memcache::append_number;
using memcache::MetaRequest;
using memcache::MetaVerb;
using memcache::parse_number;
using memcache::take_word;

constexpr std::string_view line_end = "\r\n";
// A reply with all keys has at most so many bytes.
constexpr std::size_t max_dump_bytes = std::size_t{8} << 20;
constexpr std::size_t max_keys_of_dump = 10000;

void add_number(std::string& text, char letter, std::uint64_t number) {
    text.append(" ").push_back(letter);
    append_number(text, number);
}

void add_expiry(std::string& text, std::uint32_t expires, std::uint32_t now) {
    if (expires == 0)
        text += " t-1";
    else
        add_number(text, 't', expires > now ? expires - now : 0);
}

void add_key(std::string& text, const MetaRequest& request) {
    text.append(" k").append(request.sent_key);
    if (request.flag('b'))
        text += " b";
}

// The flags that any reply repeats.
void add_common(std::string& text, const MetaRequest& request, std::string_view flag) {
    if (flag.front() == 'O')
        text.append(" ").append(flag);
    else if (flag.front() == 'k')
        add_key(text, request);
}

void add_all_common(std::string& text, const MetaRequest& request) {
    for (std::size_t i = 0; i < request.nr_flags; ++i)
        add_common(text, request, request.flags[i]);
}

template <typename Number>
std::optional<Number> if_flag(const MetaRequest& request, char letter, Number value) {
    return request.flag(letter) ? std::optional<Number>(value) : std::nullopt;
}

void run_get(const MetaRequest& request, Operations& operations, Output& output) {
    auto found = operations.meta_get({.key = request.key(),
                                      .bumps = !request.flag('u'),
                                      .vivify_expiry = if_flag(request, 'N', request.vivify_expiry),
                                      .recache_below = if_flag(request, 'R', request.recache_below),
                                      .expiry = if_flag(request, 'T', request.expiry),
                                      .new_cas = if_flag(request, 'E', request.new_cas)});
    std::string& text = output.text();
    if (!found) {
        if (request.flag('q'))
            return;
        text += "EN";
        add_all_common(text, request);
        text += line_end;
        return;
    }
    Item& item = found->item;
    const std::uint32_t now = operations.time().now;
    const bool with_value = request.flag('v');
    text += with_value ? "VA " : "HD";
    if (with_value)
        append_number(text, item.value.size());
    for (std::size_t i = 0; i < request.nr_flags; ++i) {
        const std::string_view flag = request.flags[i];
        switch (flag.front()) {
            case 's':
                add_number(text, 's', item.value.size());
                break;
            case 't':
                add_expiry(text, item.expires, now);
                break;
            case 'c':
                add_number(text, 'c', item.cas);
                break;
            case 'f':
                add_number(text, 'f', item.flags);
                break;
            case 'l':
                add_number(text, 'l', now - std::min(now, item.last_access));
                break;
            case 'h':
                text += item.is_fetched ? " h1" : " h0";
                break;
            default:
                add_common(text, request, flag);
                break;
        }
    }
    if (found->already_won)
        text += " Z";
    if ((item.marks & mark_stale) != 0)
        text += " X";
    if (found->won)
        text += " W";
    text += line_end;
    if (with_value) {
        output.add(std::move(item.value));
        output.text() += line_end;
    }
}

std::optional<StoreMode> store_mode_of(const MetaRequest& request) {
    switch (request.mode) {
        case 0:
        case 'S':
        case 's':
            return request.flag('C') ? StoreMode::cas : StoreMode::set;
        case 'R':
        case 'r':
            return request.flag('C') ? StoreMode::cas : StoreMode::replace;
        case 'E':
        case 'e':
            return StoreMode::add;
        case 'A':
        case 'a':
            return StoreMode::append;
        case 'P':
        case 'p':
            return StoreMode::prepend;
        default:
            return std::nullopt;
    }
}

void run_set(const memcache::TextRequest& text_request, const Service& service, Operations& operations, Output& output) {
    const MetaRequest& request = *text_request.meta;
    std::string& text = output.text();
    const auto mode = store_mode_of(request);
    if (!mode) {
        text += "CLIENT_ERROR invalid mode for ms M token\r\n";
        return;
    }
    if (text_request.too_large || !service.fits(request.key().size(), text_request.value.size())) {
        operations.refuse_value(request.key());
        text += "SERVER_ERROR object too large for cache\r\n";
        return;
    }
    const bool creates = request.flag('N') && (*mode == StoreMode::append || *mode == StoreMode::prepend);
    const Stored stored = operations.store({.mode = *mode,
                                            .key = request.key(),
                                            .value = text_request.value,
                                            .flags = request.client_flags,
                                            .expiry = creates ? request.vivify_expiry : request.expiry,
                                            .compare_cas = if_flag(request, 'C', request.compare_cas),
                                            .new_cas = if_flag(request, 'E', request.new_cas),
                                            .creates = creates,
                                            .takes_older = request.flag('I')});
    switch (stored.result) {
        case StoreResult::stored:
            if (request.flag('q'))
                return;
            text += "HD";
            break;
        case StoreResult::not_stored:
            text += "NS";
            break;
        case StoreResult::exists:
            text += "EX";
            break;
        case StoreResult::not_found:
            text += "NF";
            break;
        case StoreResult::too_large:
            text += "SERVER_ERROR object too large for cache\r\n";
            return;
        case StoreResult::no_memory:
            text += "SERVER_ERROR out of memory storing object\r\n";
            return;
    }
    for (std::size_t i = 0; i < request.nr_flags; ++i) {
        const std::string_view flag = request.flags[i];
        if (flag.front() == 'c')
            add_number(text, 'c', stored.cas);
        else if (flag.front() == 's')
            add_number(text, 's', stored.value_bytes);
        else if (flag.front() != 'b')
            add_common(text, request, flag);
    }
    text += line_end;
}

void run_remove(const MetaRequest& request, Operations& operations, Output& output) {
    const RemoveResult result = operations.meta_remove({.key = request.key(),
                                                        .compare_cas = if_flag(request, 'C', request.compare_cas),
                                                        .new_cas = if_flag(request, 'E', request.new_cas),
                                                        .marks_stale = request.flag('I'),
                                                        .empties = request.flag('x'),
                                                        .flags = request.client_flags,
                                                        .expiry = if_flag(request, 'T', request.expiry)});
    if (request.flag('q') && result == RemoveResult::removed)
        return;
    std::string& text = output.text();
    text += result == RemoveResult::removed ? "HD" : result == RemoveResult::exists ? "EX" : "NF";
    add_all_common(text, request);
    text += line_end;
}

void run_arithmetic(const MetaRequest& request, Operations& operations, Output& output) {
    std::string& text = output.text();
    const bool decrements = request.mode == 'D' || request.mode == 'd' || request.mode == '-';
    if (!decrements && request.mode != 0 && request.mode != 'I' && request.mode != 'i' && request.mode != '+') {
        text += "CLIENT_ERROR invalid mode for ma M token\r\n";
        return;
    }
    const Changed changed = operations.add({.key = request.key(),
                                            .increments = !decrements,
                                            .delta = request.delta,
                                            .compare_cas = if_flag(request, 'C', request.compare_cas),
                                            .new_cas = if_flag(request, 'E', request.new_cas),
                                            .initial = if_flag(request, 'N', request.initial),
                                            .initial_expiry = request.flag('T') ? request.expiry : request.vivify_expiry,
                                            .expiry = if_flag(request, 'T', request.expiry)});
    switch (changed.result) {
        case DeltaResult::done:
        case DeltaResult::created:
            break;
        case DeltaResult::not_found:
        case DeltaResult::exists:
            text += changed.result == DeltaResult::exists ? "EX" : "NF";
            add_all_common(text, request);
            text += line_end;
            return;
        case DeltaResult::non_numeric:
            text += "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
            return;
        case DeltaResult::no_memory:
            text += "SERVER_ERROR out of memory\r\n";
            return;
    }
    if (request.flag('q'))
        return;
    const std::string number = std::to_string(changed.number);
    text += request.flag('v') ? "VA " + std::to_string(number.size()) : "HD";
    for (std::size_t i = 0; i < request.nr_flags; ++i) {
        const std::string_view flag = request.flags[i];
        if (flag.front() == 'c')
            add_number(text, 'c', changed.cas);
        else if (flag.front() == 't')
            add_expiry(text, changed.expires, operations.time().now);
        else
            add_common(text, request, flag);
    }
    text += line_end;
    if (request.flag('v'))
        text.append(number).append(line_end);
}

void run_debug(const MetaRequest& request, Operations& operations, Output& output) {
    std::string& text = output.text();
    operations.counters().add(Count::cmd_meta);
    const auto item = operations.look(request.key());
    if (!item) {
        text += "EN\r\n";
        return;
    }
    const std::uint32_t now = operations.time().now;
    text.append("ME ").append(request.sent_key).append(" exp=");
    if (item->expires == 0)
        text += "-1";
    else
        append_number(text, item->expires - now);
    text += " la=";
    append_number(text, now - std::min(now, item->last_access));
    text += " cas=";
    append_number(text, item->cas);
    text.append(" fetch=").append(item->is_fetched ? "yes" : "no").append(" cls=1 size=");
    append_number(text, request.key().size() + item->value.size() + Service::memcached_overhead_bytes);
    text += line_end;
}

bool is_printable(std::string_view key) {
    return std::ranges::all_of(key, [](unsigned char byte) { return byte > ' ' && byte != 127; });
}

}  // namespace

void run_meta(const memcache::TextRequest& request, const Service& service, Operations& operations, Output& output) {
    switch (request.meta->verb) {
        case MetaVerb::get:
            run_get(*request.meta, operations, output);
            break;
        case MetaVerb::set:
            run_set(request, service, operations, output);
            break;
        case MetaVerb::remove:
            run_remove(*request.meta, operations, output);
            break;
        case MetaVerb::arithmetic:
            run_arithmetic(*request.meta, operations, output);
            break;
        case MetaVerb::debug:
            run_debug(*request.meta, operations, output);
            break;
        case MetaVerb::noop:
            output.text() += "MN\r\n";
            break;
    }
}

void dump_keys(std::string_view arguments, const Service& service, Output& output) {
    std::string& text = output.text();
    if (!service.settings.allows_dump) {
        text += "CLIENT_ERROR stats cachedump not allowed\r\n";
        return;
    }
    const std::string_view class_word = take_word(arguments);
    const std::string_view limit_word = take_word(arguments);
    if (limit_word.empty()) {
        text += "CLIENT_ERROR bad command line\r\n";
        return;
    }
    const auto number = parse_number<std::uint32_t>(class_word);
    const auto limit = parse_number<std::uint32_t>(limit_word);
    if (!number || !limit) {
        text += "CLIENT_ERROR bad command line format\r\n";
        return;
    }
    if (*number < 1 || *number > 63) {
        text += "CLIENT_ERROR Illegal slab id\r\n";
        return;
    }
    const std::size_t max_keys = *limit == 0 ? max_keys_of_dump : std::min<std::size_t>(*limit, max_keys_of_dump);
    std::size_t keys = 0;
    const std::int64_t started = service.time().started;
    for (std::size_t shard = 0; *number == 1 && shard < ByteStore::nr_shards && keys < max_keys; ++shard) {
        service.store.visit(shard, [&](std::string_view key, const Item& item) {
            if (keys >= max_keys || !is_printable(key))
                return;
            ++keys;
            text.append("ITEM ").append(key).append(" [");
            append_number(text, item.value.size());
            text += " b; ";
            append_number(text, item.expires == 0 ? 0 : started + item.expires);
            text += " s]\r\n";
        });
    }
    text += "END\r\n";
}

void dump_metadata(const Service& service, Output& output) {
    std::string& text = output.text();
    if (!service.settings.allows_dump) {
        text += "ERROR metadump not allowed\r\n";
        return;
    }
    const ServerTime time = service.time();
    for (std::size_t shard = 0; shard < ByteStore::nr_shards && text.size() < max_dump_bytes; ++shard) {
        service.store.visit(shard, [&](std::string_view key, const Item& item) {
            text += "key=";
            for (const unsigned char byte : key) {
                static constexpr std::string_view digits = "0123456789ABCDEF";
                const bool plain = std::isalnum(byte) != 0 || byte == '-' || byte == '.' || byte == '_' || byte == '~';
                if (plain)
                    text += static_cast<char>(byte);
                else
                    text.append("%").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
            }
            text += " exp=";
            append_number(text, item.expires == 0 ? std::int64_t{-1} : time.started + item.expires);
            text += " la=";
            append_number(text, time.started + item.last_access);
            text += " cas=";
            append_number(text, item.cas);
            text.append(" fetch=").append(item.is_fetched ? "yes" : "no").append(" cls=1 size=");
            append_number(text, key.size() + item.value.size() + Service::memcached_overhead_bytes);
            text.append(" flags=");
            append_number(text, item.flags);
            text += '\n';
        });
    }
    text += "END\r\n";
}

}  // namespace tmm::caches
