// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the parsers of the cache protocols, of servers and clients. The first byte chooses the protocol, and mutations keep it:
// from seeds of one protocol, all work goes into its parser. What a parser says about a request must not depend on how many bytes
// came at once.
#include <algorithm>
#include <string_view>

#include "caches/memcache/binary_request.hpp"
#include "caches/memcache/crsh_request.hpp"
#include "caches/memcache/resp_request.hpp"
#include "caches/memcache/text_client.hpp"
#include "caches/memcache/text_request.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace tmm::caches::memcache;

constexpr Limits limits{.max_value_bytes = 64, .max_line_bytes = 128, .max_keys_line_bytes = 512};

bool is_inside(std::string_view part, std::string_view whole) {
    return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void check(const TextRequest& request, std::string_view bytes) {
    TMM_REQUIRE(request.key.size() <= max_key_bytes);
    TMM_REQUIRE(request.value.size() <= limits.max_value_bytes);
    TMM_REQUIRE(is_inside(request.key, bytes) && is_inside(request.arguments, bytes) && is_inside(request.value, bytes));
    if (!request.meta)
        return;
    TMM_REQUIRE(request.meta->key().size() <= max_key_bytes);
    for (std::size_t i = 0; i < request.meta->nr_flags; ++i)
        TMM_REQUIRE(is_inside(request.meta->flags[i], bytes));
}

void check(const TextReply& reply, std::string_view bytes) {
    TMM_REQUIRE(reply.value.size() <= limits.max_value_bytes);
    TMM_REQUIRE(is_inside(reply.status, bytes) && is_inside(reply.key, bytes) && is_inside(reply.value, bytes));
}

void check(const BinaryRequest& request, std::string_view bytes) {
    const BinaryPacket& packet = request.packet;
    TMM_REQUIRE(packet.key.size() <= max_key_bytes && packet.value.size() <= limits.max_value_bytes);
    TMM_REQUIRE(is_inside(packet.key, bytes) && is_inside(packet.extras, bytes) && is_inside(packet.value, bytes));
}

void check(const BinaryPacket& packet, std::string_view bytes) {
    TMM_REQUIRE(is_inside(packet.key, bytes) && is_inside(packet.extras, bytes) && is_inside(packet.value, bytes));
}

void check(const RespRequest& request, std::string_view bytes) {
    TMM_REQUIRE(request.words.size() <= max_resp_words);
    for (const std::string_view word : request.words)
        TMM_REQUIRE(is_inside(word, bytes));
}

void check(const CrshRequest& request, std::string_view bytes) {
    TMM_REQUIRE(request.value.size() <= limits.max_value_bytes);
    TMM_REQUIRE(is_inside(request.key, bytes) && is_inside(request.value, bytes));
}

template <typename Parser>
void parse_all(std::string_view input, const Parser& parse) {
    while (!input.empty()) {
        const auto parsed = parse(input, limits);
        if (parsed.step == Step::incomplete) {
            TMM_REQUIRE(parsed.wanted > input.size());
            return;
        }
        if (parsed.step == Step::closed)
            return;
        TMM_REQUIRE(parsed.used > 0 && parsed.used <= input.size());
        const std::string_view bytes = input.substr(0, parsed.used);
        if (parsed.step == Step::request)
            check(parsed.request, bytes);
        const auto exact = parse(bytes, limits);
        TMM_REQUIRE(exact.step == parsed.step && exact.used == parsed.used && exact.swallow_bytes == parsed.swallow_bytes);
        const auto shorter = parse(bytes.substr(0, bytes.size() - 1), limits);
        TMM_REQUIRE(shorter.step == Step::incomplete || bytes.size() == 1);
        TMM_REQUIRE(bytes.size() == 1 || shorter.wanted <= bytes.size());
        input.remove_prefix(parsed.used);
        input.remove_prefix(std::min<std::uint64_t>(parsed.swallow_bytes, input.size()));
    }
}

}  // namespace

// libFuzzer's; the driver of the corpus has none, and never calls the mutator.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned /*seed*/) {
    return size == 0 ? LLVMFuzzerMutate(data, size, max_size) : 1 + LLVMFuzzerMutate(data + 1, size - 1, max_size - 1);
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = tmm::fuzz::text_of(data, size);
    if (text.empty())
        return 0;
    const char protocol = text.front();
    text.remove_prefix(1);
    switch (protocol) {
        case 'b':
            parse_all(text, parse_binary);
            break;
        case 'a':
            parse_all(text, parse_binary_reply);
            break;
        case 't':
            parse_all(text, parse_text_reply);
            break;
        case 'r':
            parse_all(text, parse_resp);
            break;
        case 'c':
            parse_all(text, parse_crsh);
            break;
        default:
            parse_all(text, parse_text);
            break;
    }
    return 0;
}
