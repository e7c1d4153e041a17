// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/sessions/binary_session.hpp"

#include <optional>
#include <string>
#include <utility>

#include "caches/cached/sessions/request_loop.hpp"

namespace tmm::caches {
namespace {

using memcache::append_binary;
using memcache::binary_reply_magic;
using memcache::BinaryOpcode;
using memcache::BinaryPacket;
using memcache::BinaryStatus;
using memcache::Step;

// As an expiry of increment and decrement: do not make an item.
constexpr std::uint32_t no_initial = 0xffffffff;

BinaryPacket reply_to(const BinaryPacket& packet) {
    BinaryPacket reply;
    reply.opcode = packet.opcode;
    reply.opaque = packet.opaque;
    return reply;
}

void fail(Output& output, const BinaryPacket& packet, BinaryStatus status) {
    BinaryPacket reply = reply_to(packet);
    reply.status = status;
    const std::string_view words = memcache::words_of(status);
    append_binary(output.text(), binary_reply_magic, reply, words.size());
    output.text() += words;
}

void succeed(Output& output, const BinaryPacket& packet, std::uint64_t cas = 0, std::string_view value = {}) {
    BinaryPacket reply = reply_to(packet);
    reply.cas = cas;
    append_binary(output.text(), binary_reply_magic, reply, value.size());
    output.text() += value;
}

std::optional<std::uint64_t> cas_of(const BinaryPacket& packet) {
    return packet.cas == 0 ? std::nullopt : std::optional(packet.cas);
}

// Expiry times are unsigned here, but clients send negative ones as well.
std::int64_t expiry_of(std::string_view bytes) {
    return static_cast<std::int32_t>(memcache::read_u32(bytes));
}

// Whether extras, key and value are such as the command has.
bool has_form(const BinaryPacket& packet, BinaryOpcode command) {
    const std::size_t extras = packet.extras.size();
    const bool key = !packet.key.empty();
    const bool value = !packet.value.empty();
    switch (command) {
        case BinaryOpcode::get:
        case BinaryOpcode::getk:
        case BinaryOpcode::remove:
            return extras == 0 && key && !value;
        case BinaryOpcode::touch:
        case BinaryOpcode::gat:
        case BinaryOpcode::gatk:
            return extras == 4 && key && !value;
        case BinaryOpcode::set:
        case BinaryOpcode::add:
        case BinaryOpcode::replace:
            return extras == 8 && key;
        case BinaryOpcode::append:
        case BinaryOpcode::prepend:
            return extras == 0 && key;
        case BinaryOpcode::increment:
        case BinaryOpcode::decrement:
            return extras == 20 && key && !value;
        case BinaryOpcode::flush:
            return (extras == 0 || extras == 4) && !key && !value;
        case BinaryOpcode::quit:
        case BinaryOpcode::noop:
        case BinaryOpcode::version:
            return extras == 0 && !key && !value;
        case BinaryOpcode::stat:
            return extras == 0 && !value;
        case BinaryOpcode::verbosity:
            return extras == 4 && !key && !value;
        default:
            return true;
    }
}

}  // namespace

struct BinarySession::Request {
    const BinaryPacket& packet;
    BinaryOpcode command;
    bool quiet;
};

Progress BinarySession::handle(std::string_view input, Output& output, const Turn& turn) {
    return for_each_request(
        input, output, turn, [&](std::string_view rest) { return memcache::parse_binary(rest, limits_); },
        [&](const auto& parsed, Progress& progress) {
            progress.closes = parsed.step != Step::request;
            if (progress.closes)
                return false;
            execute(parsed.request, output, progress);
            return true;
        });
}

void BinarySession::execute(const memcache::BinaryRequest& parsed, Output& output, Progress& progress) {
    const BinaryPacket& packet = parsed.packet;
    const auto [command, quiet] = memcache::plain_opcode(packet.opcode);
    const Request request{packet, command, quiet};
    if (parsed.frame == BinaryStatus::invalid) {
        fail(output, packet, BinaryStatus::invalid);
        return;
    }
    if (command == BinaryOpcode::sasl_list || command == BinaryOpcode::sasl_auth || command == BinaryOpcode::sasl_step) {
        authenticate(request, output);
        return;
    }
    if (!is_known_ && command != BinaryOpcode::version && command != BinaryOpcode::quit) {
        fail(output, packet, BinaryStatus::auth_error);
        progress.closes = true;
        return;
    }
    if (!has_form(packet, command)) {
        fail(output, packet, BinaryStatus::invalid);
        return;
    }
    if (parsed.frame == BinaryStatus::too_large) {
        operations_.refuse_value(packet.key);
        fail(output, packet, BinaryStatus::too_large);
        return;
    }
    switch (command) {
        case BinaryOpcode::get:
        case BinaryOpcode::getk:
        case BinaryOpcode::touch:
        case BinaryOpcode::gat:
        case BinaryOpcode::gatk:
            retrieve(request, output);
            break;
        case BinaryOpcode::set:
        case BinaryOpcode::add:
        case BinaryOpcode::replace:
        case BinaryOpcode::append:
        case BinaryOpcode::prepend:
            store(request, output);
            break;
        case BinaryOpcode::increment:
        case BinaryOpcode::decrement:
            add(request, output);
            break;
        case BinaryOpcode::remove:
            remove(request, output);
            break;
        case BinaryOpcode::flush:
            flush(request, output);
            break;
        case BinaryOpcode::stat:
            statistics(request, output);
            break;
        case BinaryOpcode::noop:
        case BinaryOpcode::verbosity:
            succeed(output, packet);
            break;
        case BinaryOpcode::version:
            succeed(output, packet, 0, protocol_version);
            break;
        case BinaryOpcode::quit:
            progress.closes = true;
            if (!quiet)
                succeed(output, packet);
            break;
        default:
            fail(output, packet, BinaryStatus::unknown_command);
            break;
    }
}

void BinarySession::retrieve(const Request& request, Output& output) {
    const BinaryPacket& packet = request.packet;
    const bool touches = !packet.extras.empty();
    const bool with_value = request.command != BinaryOpcode::touch;
    const bool with_key = request.command == BinaryOpcode::getk || request.command == BinaryOpcode::gatk;
    std::optional<Item> item =
        touches ? operations_.get_and_touch(packet.key, expiry_of(packet.extras)) : operations_.get(packet.key);
    if (!item) {
        if (request.quiet)
            return;
        if (!with_key) {
            fail(output, packet, BinaryStatus::key_not_found);
            return;
        }
        BinaryPacket reply = reply_to(packet);
        reply.status = BinaryStatus::key_not_found;
        reply.key = packet.key;
        append_binary(output.text(), binary_reply_magic, reply, 0);
        return;
    }
    std::string flags;
    memcache::append_u32(flags, item->flags);
    BinaryPacket reply = reply_to(packet);
    reply.cas = item->cas;
    reply.extras = flags;
    if (with_key)
        reply.key = packet.key;
    append_binary(output.text(), binary_reply_magic, reply, with_value ? item->value.size() : 0);
    if (with_value)
        output.add(std::move(item->value));
}

void BinarySession::store(const Request& request, Output& output) {
    const BinaryPacket& packet = request.packet;
    if (!service_.fits(packet.key.size(), packet.value.size())) {
        operations_.refuse_value(packet.key);
        fail(output, packet, BinaryStatus::too_large);
        return;
    }
    StoreRequest wanted{.key = packet.key, .value = packet.value, .compare_cas = cas_of(packet)};
    if (!packet.extras.empty()) {
        wanted.flags = memcache::read_u32(packet.extras);
        wanted.expiry = expiry_of(packet.extras.substr(4));
    }
    switch (request.command) {
        case BinaryOpcode::add:
            wanted.mode = StoreMode::add;
            break;
        case BinaryOpcode::replace:
            wanted.mode = wanted.compare_cas ? StoreMode::cas : StoreMode::replace;
            break;
        case BinaryOpcode::append:
            wanted.mode = StoreMode::append;
            break;
        case BinaryOpcode::prepend:
            wanted.mode = StoreMode::prepend;
            break;
        default:
            wanted.mode = wanted.compare_cas ? StoreMode::cas : StoreMode::set;
            break;
    }
    const Stored stored = operations_.store(wanted);
    switch (stored.result) {
        case StoreResult::stored:
            if (!request.quiet)
                succeed(output, packet, stored.cas);
            break;
        case StoreResult::not_stored:
            fail(output, packet,
                 request.command == BinaryOpcode::add       ? BinaryStatus::key_exists
                 : request.command == BinaryOpcode::replace ? BinaryStatus::key_not_found
                                                            : BinaryStatus::not_stored);
            break;
        case StoreResult::exists:
            fail(output, packet, BinaryStatus::key_exists);
            break;
        case StoreResult::not_found:
            fail(output, packet, BinaryStatus::key_not_found);
            break;
        case StoreResult::too_large:
            fail(output, packet, BinaryStatus::too_large);
            break;
        case StoreResult::no_memory:
            fail(output, packet, BinaryStatus::out_of_memory);
            break;
    }
}

void BinarySession::add(const Request& request, Output& output) {
    const BinaryPacket& packet = request.packet;
    DeltaRequest wanted{.key = packet.key,
                        .increments = request.command == BinaryOpcode::increment,
                        .delta = memcache::read_u64(packet.extras),
                        .compare_cas = cas_of(packet)};
    const std::string_view expiry = packet.extras.substr(16);
    if (memcache::read_u32(expiry) != no_initial) {
        wanted.initial = memcache::read_u64(packet.extras.substr(8));
        wanted.initial_expiry = expiry_of(expiry);
    }
    const Changed changed = operations_.add(wanted);
    switch (changed.result) {
        case DeltaResult::done:
        case DeltaResult::created:
            if (!request.quiet) {
                std::string number;
                memcache::append_u64(number, changed.number);
                succeed(output, packet, changed.cas, number);
            }
            break;
        case DeltaResult::not_found:
            fail(output, packet, BinaryStatus::key_not_found);
            break;
        case DeltaResult::non_numeric:
            fail(output, packet, BinaryStatus::bad_delta);
            break;
        case DeltaResult::exists:
            fail(output, packet, BinaryStatus::key_exists);
            break;
        case DeltaResult::no_memory:
            fail(output, packet, BinaryStatus::out_of_memory);
            break;
    }
}

void BinarySession::remove(const Request& request, Output& output) {
    const RemoveResult result = operations_.remove(request.packet.key, cas_of(request.packet));
    if (result == RemoveResult::removed) {
        if (!request.quiet)
            succeed(output, request.packet);
    } else {
        fail(output, request.packet, result == RemoveResult::exists ? BinaryStatus::key_exists : BinaryStatus::key_not_found);
    }
}

void BinarySession::flush(const Request& request, Output& output) {
    if (!service_.settings.allows_flush) {
        fail(output, request.packet, BinaryStatus::auth_error);
        return;
    }
    operations_.flush(request.packet.extras.empty() ? 0 : expiry_of(request.packet.extras));
    if (!request.quiet)
        succeed(output, request.packet);
}

void BinarySession::statistics(const Request& request, Output& output) {
    const BinaryPacket& packet = request.packet;
    if (packet.key == "reset") {
        service_.reset_statistics();
        succeed(output, packet);
        return;
    }
    // Statistics of prefixes of keys: there are none.
    const bool is_detail = packet.key.starts_with("detail");
    const std::vector<Statistic> statistics = is_detail ? std::vector<Statistic>() : service_.statistics(packet.key);
    if (statistics.empty() && !is_detail && packet.key != "slabs" && packet.key != "items") {
        fail(output, packet, BinaryStatus::key_not_found);
        return;
    }
    for (const auto& [name, value] : statistics) {
        BinaryPacket reply = reply_to(packet);
        reply.key = name;
        append_binary(output.text(), binary_reply_magic, reply, value.size());
        output.text() += value;
    }
    succeed(output, packet);
}

// SASL with the mechanism PLAIN (RFC 4616), for the users of the authentication file.
void BinarySession::authenticate(const Request& request, Output& output) {
    const BinaryPacket& packet = request.packet;
    if (!service_.passwords.are_needed()) {
        fail(output, packet, BinaryStatus::unknown_command);
        return;
    }
    if (request.command == BinaryOpcode::sasl_list) {
        succeed(output, packet, 0, "PLAIN");
        return;
    }
    operations_.counters().add(Count::auth_cmds);
    const std::size_t user = packet.value.find('\0');
    const std::size_t password = user == std::string_view::npos ? user : packet.value.find('\0', user + 1);
    is_known_ = packet.key == "PLAIN" && password != std::string_view::npos &&
                service_.passwords.match(packet.value.substr(user + 1, password - user - 1), packet.value.substr(password + 1));
    if (is_known_) {
        succeed(output, packet, 0, "Authenticated");
    } else {
        operations_.counters().add(Count::auth_errors);
        fail(output, packet, BinaryStatus::auth_error);
    }
}

}  // namespace tmm::caches
