// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/sessions/resp_session.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "caches/cached/sessions/request_loop.hpp"
#include "caches/memcache/numbers.hpp"

namespace tmm::caches {
namespace {

using memcache::append_number;
using memcache::parse_number;
using memcache::RespRequest;
using memcache::Step;

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t max_keys_per_turn = 256;
constexpr std::string_view ok = "+OK\r\n";
constexpr std::string_view null = "$-1\r\n";
constexpr std::string_view syntax_error = "-ERR syntax error\r\n";
constexpr std::string_view not_a_number = "-ERR value is not an integer or out of range\r\n";
constexpr std::string_view key_too_long = "-ERR the key is too long\r\n";

std::string upper(std::string_view word) {
    std::string text(word);
    std::ranges::transform(text, text.begin(), [](unsigned char byte) { return static_cast<char>(std::toupper(byte)); });
    return text;
}

void add_integer(Output& output, std::int64_t number) {
    output.text() += ':';
    append_number(output.text(), number);
    output.text() += line_end;
}

void add_bulk(Output& output, std::string_view bytes) {
    output.text() += '$';
    append_number(output.text(), bytes.size());
    output.text().append(line_end).append(bytes).append(line_end);
}

// Rounds up, so that nothing expires too early.
std::int64_t seconds_of(std::int64_t number, std::int64_t units_per_second) {
    return number / units_per_second + (number % units_per_second > 0 ? 1 : 0);
}

}  // namespace

Progress RespSession::handle(std::string_view input, Output& output, const Turn& turn) {
    return for_each_request(
        input, output, turn, [&](std::string_view rest) { return memcache::parse_resp(rest, limits_); },
        [&](const auto& parsed, Progress& progress) {
            if (parsed.step == Step::request)
                return parsed.request.words.empty() || execute(parsed.request, output, progress, turn);
            output.text().append(parsed.refusal).append(line_end);
            progress.closes = true;
            return false;
        });
}

bool RespSession::execute(const RespRequest& request, Output& output, Progress& progress, const Turn& turn) {
    const Words& words = request.words;
    const std::string command = upper(words[0]);
    const auto has = [&](std::size_t least, std::size_t most) {
        if (words.size() + (request.too_large ? 1 : 0) >= least + 1 && words.size() <= most + 1)
            return true;
        output.text().append("-ERR wrong number of arguments for '").append(command).append("' command\r\n");
        return false;
    };
    constexpr std::size_t any = memcache::max_resp_words;
    if (command == "QUIT") {
        output.text() += ok;
        progress.closes = true;
    } else if (command == "HELLO") {
        hello(words, output);
    } else if (command == "AUTH") {
        if (has(1, 2))
            authenticate(words.size() == 3 ? words[1] : "default", words.back(), output);
    } else if (!is_known_) {
        output.text() += "-NOAUTH Authentication required.\r\n";
    } else if (request.too_large && command != "SET") {
        output.text() += "-ERR value is too large\r\n";
    } else if (command == "GET") {
        if (has(1, 1))
            get(words[1], output);
    } else if (command == "SET") {
        if (has(2, any))
            set(request, output);
    } else if (command == "MGET") {
        return !has(1, any) || get_many(words, output, turn);
    } else if (command == "DEL" || command == "UNLINK") {
        if (has(1, any))
            remove(words, output);
    } else if (command == "EXISTS") {
        if (has(1, any))
            exists(words, output);
    } else if (command == "TTL" || command == "PTTL") {
        if (has(1, 1))
            time_to_live(words[1], command == "TTL" ? 1 : 1000, output);
    } else if (command == "EXPIRE" || command == "PEXPIRE") {
        if (has(2, 2))
            expire(words, command == "EXPIRE" ? 1 : 1000, output);
    } else if (command == "PING") {
        if (words.size() > 1)
            add_bulk(output, words[1]);
        else
            output.text() += "+PONG\r\n";
    } else if (command == "SELECT") {
        // There is one database; its number does not matter to a cache.
        if (has(1, 1))
            output.text() += parse_number<std::uint32_t>(words[1]) ? ok : not_a_number;
    } else if (command == "CLIENT") {
        output.text() += ok;
    } else if (command == "INFO") {
        information(output);
    } else if (command == "FLUSHDB" || command == "FLUSHALL") {
        if (service_.settings.allows_flush)
            operations_.flush(0);
        output.text() += service_.settings.allows_flush ? ok : "-ERR not allowed\r\n";
    } else {
        output.text().append("-ERR unknown command '").append(command.substr(0, 64)).append("'\r\n");
    }
    return true;
}

void RespSession::get(std::string_view key, Output& output) {
    std::optional<Item> item = operations_.get(key);
    if (!item) {
        output.text() += null;
        return;
    }
    output.text() += '$';
    append_number(output.text(), item->value.size());
    output.text() += line_end;
    output.add(std::move(item->value));
    output.text() += line_end;
}

bool RespSession::get_many(const Words& words, Output& output, const Turn& turn) {
    if (keys_done_ == 0) {
        output.text() += '*';
        append_number(output.text(), words.size() - 1);
        output.text() += line_end;
    }
    std::size_t number = 0;
    while (keys_done_ + 1 < words.size()) {
        if (number++ == max_keys_per_turn || output.bytes() > turn.max_output_bytes)
            return false;
        get(words[++keys_done_], output);
    }
    keys_done_ = 0;
    return true;
}

void RespSession::set(const RespRequest& request, Output& output) {
    const Words& words = request.words;
    StoreRequest wanted{.key = words[1], .value = {}};
    if (words[1].size() > max_key_bytes) {
        output.text() += key_too_long;
        return;
    }
    if (request.too_large || !service_.fits(words[1].size(), words[2].size())) {
        operations_.refuse_value(words[1]);
        output.text() += "-ERR value is too large\r\n";
        return;
    }
    wanted.value = words[2];
    for (std::size_t i = 3; i < words.size(); ++i) {
        const std::string option = upper(words[i]);
        if (option == "NX" || option == "XX") {
            wanted.mode = option == "NX" ? StoreMode::add : StoreMode::replace;
        } else if ((option == "EX" || option == "PX") && i + 1 < words.size()) {
            const auto number = parse_number<std::int64_t>(words[++i]);
            if (!number) {
                output.text() += not_a_number;
                return;
            }
            if (*number <= 0) {
                output.text() += "-ERR invalid expire time in 'set' command\r\n";
                return;
            }
            wanted.expiry = expiry_after(seconds_of(*number, option == "EX" ? 1 : 1000), operations_.time());
        } else {
            output.text() += syntax_error;
            return;
        }
    }
    const Stored stored = operations_.store(wanted);
    switch (stored.result) {
        case StoreResult::stored:
            output.text() += ok;
            break;
        case StoreResult::too_large:
            output.text() += "-ERR value is too large\r\n";
            break;
        case StoreResult::no_memory:
            output.text() += "-OOM out of memory\r\n";
            break;
        default:
            output.text() += null;
            break;
    }
}

void RespSession::remove(const Words& words, Output& output) {
    std::int64_t removed = 0;
    for (std::size_t i = 1; i < words.size(); ++i)
        removed += operations_.remove(words[i], std::nullopt) == RemoveResult::removed ? 1 : 0;
    add_integer(output, removed);
}

void RespSession::exists(const Words& words, Output& output) {
    std::int64_t found = 0;
    for (std::size_t i = 1; i < words.size(); ++i)
        found += operations_.look(words[i]) ? 1 : 0;
    add_integer(output, found);
}

void RespSession::time_to_live(std::string_view key, std::int64_t unit, Output& output) {
    const auto item = operations_.look(key);
    // Its last second may end meanwhile.
    const auto seconds = [&] { return std::max<std::int64_t>(0, std::int64_t{item->expires} - operations_.time().now); };
    add_integer(output, !item ? -2 : item->expires == 0 ? -1 : unit * seconds());
}

void RespSession::expire(const Words& words, std::int64_t unit, Output& output) {
    const auto number = parse_number<std::int64_t>(words[2]);
    if (!number) {
        output.text() += not_a_number;
        return;
    }
    const std::int64_t expiry = *number <= 0 ? -1 : expiry_after(seconds_of(*number, unit), operations_.time());
    add_integer(output, operations_.touch(words[1], expiry) ? 1 : 0);
}

// HELLO [2 [AUTH user password] [SETNAME name]]
void RespSession::hello(const Words& words, Output& output) {
    if (words.size() > 1 && words[1] != "2") {
        output.text() += "-NOPROTO unsupported protocol version\r\n";
        return;
    }
    if (words.size() >= 5 && upper(words[2]) == "AUTH") {
        is_known_ = service_.passwords.match(words[3], words[4]) || !service_.passwords.are_needed();
        operations_.counters().add(Count::auth_cmds);
    }
    if (!is_known_) {
        output.text() += "-NOAUTH HELLO must be called with the client already authenticated\r\n";
        return;
    }
    output.text() += "*6\r\n";
    add_bulk(output, "server");
    add_bulk(output, "redis");
    add_bulk(output, "version");
    add_bulk(output, "6.0.0");
    add_bulk(output, "proto");
    add_integer(output, 2);
}

void RespSession::authenticate(std::string_view user, std::string_view password, Output& output) {
    if (!service_.passwords.are_needed()) {
        output.text() += "-ERR AUTH called without any password configured\r\n";
        return;
    }
    operations_.counters().add(Count::auth_cmds);
    is_known_ = service_.passwords.match(user, password);
    if (!is_known_)
        operations_.counters().add(Count::auth_errors);
    output.text() += is_known_ ? ok : "-WRONGPASS invalid username-password pair\r\n";
}

void RespSession::information(Output& output) {
    std::string text = "# Server\r\nredis_version:6.0.0\r\n# Stats\r\n";
    for (const auto& [name, value] : service_.statistics(""))
        text.append(name).append(":").append(value).append(line_end);
    add_bulk(output, text);
}

}  // namespace tmm::caches
