// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/text_request.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "caches/memcache/numbers.hpp"

namespace tmm::caches::memcache {
namespace {

using Result = Parsed<TextRequest>;

constexpr std::string_view bad_format = "CLIENT_ERROR bad command line format";
constexpr std::string_view bad_chunk = "CLIENT_ERROR bad data chunk";
constexpr std::string_view unknown = "ERROR";
constexpr std::size_t line_end_bytes = 2;
// Blanks before a command; more are an attack.
constexpr std::size_t max_leading_blanks = 100;

// The words of a line behind the command; one more than any command has.
struct Words {
    std::array<std::string_view, 7> word;
    std::size_t number = 0;

    explicit Words(std::string_view line) {
        while (number < word.size()) {
            word[number] = take_word(line);
            if (word[number].empty())
                break;
            ++number;
        }
    }
    // Whether the last word, behind at least `least` others, asks for no reply.
    [[nodiscard]] bool noreply(std::size_t least) const { return number > least && word[number - 1] == "noreply"; }
};

Result refuse(Result result, std::string_view refusal, bool noreply = false) {
    result.step = Step::refused;
    result.refusal = noreply ? std::string_view() : refusal;
    return result;
}

Result accept(Result result, TextVerb verb) {
    result.step = Step::request;
    result.request.verb = verb;
    return result;
}

std::optional<std::int64_t> parse_time(std::string_view word) {
    return parse_number<std::int32_t>(word);
}

// Adds the value of value_bytes that follows the line, and its end.
Result with_value(Result result, std::string_view input, std::size_t value_bytes, const Limits& limits) {
    if (value_bytes > limits.max_value_bytes) {
        result.request.too_large = true;
        result.swallow_bytes = value_bytes + line_end_bytes;
        return result;
    }
    const std::string_view rest = input.substr(result.used);
    if (rest.size() < value_bytes + line_end_bytes) {
        result.step = Step::incomplete;
        result.wanted = result.used + value_bytes + line_end_bytes;
        return result;
    }
    result.used += value_bytes + line_end_bytes;
    if (rest.substr(value_bytes, line_end_bytes) != "\r\n") {
        const bool noreply = result.request.noreply;
        return refuse(std::move(result), bad_chunk, noreply);
    }
    result.request.value = rest.substr(0, value_bytes);
    return result;
}

// Returns the length that the text gives, unless it is negative or too large for any value.
std::optional<std::size_t> value_length(std::string_view word) {
    const auto length = parse_number<std::int32_t>(word);
    if (!length || *length < 0 || *length > std::numeric_limits<std::int32_t>::max() - 2)
        return std::nullopt;
    return static_cast<std::size_t>(*length);
}

Result parse_storage(Result result, std::string_view input, TextVerb verb, const Words& words, const Limits& limits) {
    const std::size_t nr_words = verb == TextVerb::cas ? 5 : 4;
    if (words.number != nr_words && words.number != nr_words + 1)
        return refuse(std::move(result), unknown);
    TextRequest& request = result.request;
    request.noreply = words.noreply(nr_words);
    request.key = words.word[0];
    const auto flags = parse_number<std::uint32_t>(words.word[1]);
    const auto expiry = parse_time(words.word[2]);
    const auto number = verb == TextVerb::cas ? parse_number<std::uint64_t>(words.word[4]) : std::optional<std::uint64_t>(0);
    if (request.key.size() > max_key_bytes || !flags || !expiry || !number || !parse_number<std::int32_t>(words.word[3]))
        return refuse(std::move(result), bad_format, request.noreply);
    const auto length = value_length(words.word[3]);
    if (!length)
        return refuse(std::move(result), bad_format, request.noreply);
    request.flags = *flags;
    request.expiry = *expiry;
    request.number = *number;
    return with_value(accept(std::move(result), verb), input, *length, limits);
}

Result parse_retrieval(Result result, TextVerb verb, std::string_view arguments) {
    TextRequest& request = result.request;
    if (verb == TextVerb::gat || verb == TextVerb::gats) {
        const std::string_view time = take_word(arguments);
        if (time.empty() || arguments.find_first_not_of(' ') == std::string_view::npos)
            return refuse(std::move(result), unknown);
        const auto expiry = parse_time(time);
        if (!expiry)
            return refuse(std::move(result), "CLIENT_ERROR invalid exptime argument");
        request.expiry = *expiry;
    }
    request.arguments = arguments;
    std::string_view rest = arguments;
    std::string_view key = take_word(rest);
    if (key.empty())
        return refuse(std::move(result), unknown);
    for (; !key.empty(); key = take_word(rest)) {
        if (key.size() > max_key_bytes)
            return refuse(std::move(result), bad_format);
    }
    return accept(std::move(result), verb);
}

Result parse_delete(Result result, const Words& words) {
    if (words.number < 1 || words.number > 3)
        return refuse(std::move(result), unknown);
    TextRequest& request = result.request;
    request.key = words.word[0];
    if (request.key.size() > max_key_bytes)
        return refuse(std::move(result), bad_format);
    request.noreply = words.noreply(1);
    // Old clients send a time of 0.
    const bool zero = words.number > 1 && words.word[1] == "0";
    if (words.number > 1 && words.number != 1U + (zero ? 1U : 0U) + (request.noreply ? 1U : 0U))
        return refuse(std::move(result), "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]", request.noreply);
    return accept(std::move(result), TextVerb::remove);
}

Result parse_two_words(Result result, TextVerb verb, const Words& words) {
    if (words.number != 2 && words.number != 3)
        return refuse(std::move(result), unknown);
    TextRequest& request = result.request;
    request.noreply = words.noreply(2);
    request.key = words.word[0];
    if (request.key.size() > max_key_bytes)
        return refuse(std::move(result), bad_format, request.noreply);
    if (verb == TextVerb::touch) {
        const auto expiry = parse_time(words.word[1]);
        if (!expiry)
            return refuse(std::move(result), "CLIENT_ERROR invalid exptime argument", request.noreply);
        request.expiry = *expiry;
    } else {
        const auto delta = parse_number<std::uint64_t>(words.word[1]);
        if (!delta)
            return refuse(std::move(result), "CLIENT_ERROR invalid numeric delta argument", request.noreply);
        request.number = *delta;
    }
    return accept(std::move(result), verb);
}

Result parse_flush(Result result, const Words& words) {
    if (words.number > 2)
        return refuse(std::move(result), unknown);
    const bool noreply = words.noreply(0);
    result.request.noreply = noreply;
    if (words.number > (noreply ? 1U : 0U)) {
        const auto delay = parse_time(words.word[0]);
        if (!delay)
            return refuse(std::move(result), "CLIENT_ERROR invalid exptime argument", noreply);
        result.request.expiry = *delay;
    }
    return accept(std::move(result), TextVerb::flush_all);
}

Result parse_verbosity(Result result, const Words& words) {
    if (words.number != 1 && words.number != 2)
        return refuse(std::move(result), unknown);
    result.request.noreply = words.noreply(0);
    if (!result.request.noreply && !parse_number<std::uint32_t>(words.word[0]))
        return refuse(std::move(result), bad_format);
    return accept(std::move(result), TextVerb::verbosity);
}

Result parse_meta(Result result, std::string_view input, char letter, std::string_view arguments, const Limits& limits) {
    TextRequest& request = result.request;
    MetaRequest& meta = request.meta.emplace();
    meta.verb = letter == 'g'   ? MetaVerb::get
                : letter == 's' ? MetaVerb::set
                : letter == 'd' ? MetaVerb::remove
                : letter == 'a' ? MetaVerb::arithmetic
                : letter == 'e' ? MetaVerb::debug
                                : MetaVerb::noop;
    if (meta.verb == MetaVerb::noop)
        return accept(std::move(result), TextVerb::meta);
    meta.sent_key = take_word(arguments);
    if (meta.sent_key.empty())
        return refuse(std::move(result), unknown);
    if (meta.sent_key.size() > max_key_bytes)
        return refuse(std::move(result), bad_format);
    std::optional<std::size_t> length = 0;
    if (meta.verb == MetaVerb::set) {
        length = value_length(take_word(arguments));
        if (!length)
            return refuse(std::move(result), bad_format);
    }
    if (const auto error = parse_meta_flags(meta, arguments)) {
        if (meta.verb == MetaVerb::set)
            result.swallow_bytes = *length + line_end_bytes;
        const bool coarse = meta.verb == MetaVerb::remove || meta.verb == MetaVerb::arithmetic;
        const bool opaque = error->find("opaque") != std::string_view::npos;
        return refuse(std::move(result), coarse && !opaque ? "CLIENT_ERROR invalid or duplicate flag" : *error);
    }
    // Errors are always sent.
    result = accept(std::move(result), TextVerb::meta);
    return result.request.meta->verb == MetaVerb::set ? with_value(std::move(result), input, *length, limits) : result;
}

Result parse_line(Result result, std::string_view input, std::string_view line, const Limits& limits) {
    std::string_view arguments = line;
    const std::string_view command = take_word(arguments);
    if (command == "get" || command == "bget")
        return parse_retrieval(std::move(result), TextVerb::get, arguments);
    if (command == "gets")
        return parse_retrieval(std::move(result), TextVerb::gets, arguments);
    if (command.size() == 2 && command[0] == 'm' && std::string_view("gsdane").find(command[1]) != std::string_view::npos)
        return parse_meta(std::move(result), input, command[1], arguments, limits);
    const Words words(arguments);
    static constexpr std::array<std::pair<std::string_view, TextVerb>, 6> storage{{{"set", TextVerb::set},
                                                                                   {"add", TextVerb::add},
                                                                                   {"replace", TextVerb::replace},
                                                                                   {"append", TextVerb::append},
                                                                                   {"prepend", TextVerb::prepend},
                                                                                   {"cas", TextVerb::cas}}};
    for (const auto& [name, verb] : storage) {
        if (command == name)
            return parse_storage(std::move(result), input, verb, words, limits);
    }
    if (command == "gat")
        return parse_retrieval(std::move(result), TextVerb::gat, arguments);
    if (command == "gats")
        return parse_retrieval(std::move(result), TextVerb::gats, arguments);
    if (command == "delete")
        return parse_delete(std::move(result), words);
    if (command == "touch")
        return parse_two_words(std::move(result), TextVerb::touch, words);
    if (command == "incr")
        return parse_two_words(std::move(result), TextVerb::incr, words);
    if (command == "decr")
        return parse_two_words(std::move(result), TextVerb::decr, words);
    if (command == "flush_all")
        return parse_flush(std::move(result), words);
    if (command == "verbosity")
        return parse_verbosity(std::move(result), words);
    if (command == "version")
        return accept(std::move(result), TextVerb::version);
    if (command == "quit")
        return accept(std::move(result), TextVerb::quit);
    if (command == "stats") {
        result.request.arguments = arguments;
        return accept(std::move(result), TextVerb::stats);
    }
    static constexpr std::array<std::string_view, 9> management{
        "cache_memlimit", "shutdown", "slabs", "lru", "lru_crawler", "watch", "debugtime", "debugitem", "misbehave"};
    for (const std::string_view name : management) {
        if (command != name)
            continue;
        result.request.arguments = line;
        return accept(std::move(result), TextVerb::management);
    }
    // A browser took this for a web server.
    if (line.find(" HTTP/") != std::string_view::npos)
        result.step = Step::closed;
    else
        result = refuse(std::move(result), unknown);
    return result;
}

bool may_be_long(std::string_view input) {
    const std::size_t blanks = std::min(input.find_first_not_of(' '), input.size());
    const std::string_view command = input.substr(blanks, 5);
    return blanks <= max_leading_blanks &&
           (command.starts_with("get ") || command == "gets " || command.starts_with("gat ") || command == "gats ");
}

}  // namespace

std::string_view take_word(std::string_view& text) {
    const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    text.remove_prefix(end);
    return word;
}

Parsed<TextRequest> parse_text(std::string_view input, const Limits& limits) {
    Result result;
    const std::size_t end = input.find('\n');
    const std::size_t line_bytes = std::min(end, input.size());
    if (line_bytes > limits.max_line_bytes && (line_bytes > limits.max_keys_line_bytes || !may_be_long(input))) {
        result.step = Step::closed;
        return result;
    }
    if (end == std::string_view::npos) {
        result.wanted = input.size() + 1;
        return result;
    }
    std::string_view line = input.substr(0, end);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    result.used = end + 1;
    return parse_line(std::move(result), input, line, limits);
}

}  // namespace tmm::caches::memcache
