// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/record.hpp"

#include <cstring>

namespace tmm::caches {
namespace {

constexpr unsigned with_flags = 64;
constexpr unsigned with_long_cas = 128;
constexpr std::size_t short_cas_bytes = 6;
constexpr std::uint64_t long_cas_from = std::uint64_t{1} << (8 * short_cas_bytes);

struct Sizes {
    explicit Sizes(unsigned form)
        : cas((form & with_long_cas) != 0 ? sizeof(std::uint64_t) : short_cas_bytes),
          flags((form & with_flags) != 0 ? sizeof(std::uint32_t) : 0) {}
    /// Without the key.
    [[nodiscard]] std::size_t fixed() const { return cas + flags + 2; }

    std::size_t cas;
    std::size_t flags;
};

}  // namespace

void append_trailer(Buffer& value, const Trailer& trailer) {
    const unsigned form = trailer.generation % nr_generations + (trailer.flags != 0 ? with_flags : 0) +
                          (trailer.cas >= long_cas_from ? with_long_cas : 0);
    const Sizes sizes(form);
    const std::size_t at = value.size();
    value.resize(at + trailer.key.size() + sizes.fixed());
    char* to = value.data() + at;
    std::memcpy(to, trailer.key.data(), trailer.key.size());
    to += trailer.key.size();
    // Least significant byte first, so that a short one is the beginning of a long one.
    for (std::size_t i = 0; i < sizes.cas; ++i) {
        *to++ = static_cast<char>(trailer.cas >> (8 * i));
    }
    std::memcpy(to, &trailer.flags, sizes.flags);
    to += sizes.flags;
    *to++ = static_cast<char>(trailer.key.size());
    *to = static_cast<char>(form);
}

std::optional<Parsed> parse_record(std::string_view record) {
    if (record.size() < 2) {
        return std::nullopt;
    }
    const auto form = static_cast<unsigned char>(record.back());
    const std::size_t key_bytes = static_cast<unsigned char>(record[record.size() - 2]);
    const Sizes sizes(form);
    if (record.size() < key_bytes + sizes.fixed()) {
        return std::nullopt;
    }
    Parsed parsed;
    parsed.value_bytes = record.size() - key_bytes - sizes.fixed();
    parsed.trailer.key = record.substr(parsed.value_bytes, key_bytes);
    parsed.trailer.generation = form % nr_generations;
    const char* from = record.data() + parsed.value_bytes + key_bytes;
    for (std::size_t i = 0; i < sizes.cas; ++i) {
        parsed.trailer.cas |= std::uint64_t{static_cast<unsigned char>(*from++)} << (8 * i);
    }
    std::memcpy(&parsed.trailer.flags, from, sizes.flags);
    return parsed;
}

}  // namespace tmm::caches
