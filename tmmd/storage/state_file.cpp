// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/storage/state_file.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "base/text/proc_text.hpp"

namespace tmm::storage {

namespace {

constexpr std::string_view magic = "tmm-state";
constexpr std::string_view version = "1";

// The table for CRC-32 of IEEE 802.3, reflected, bytewise.
constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
        table[byte] = crc;
    }
    return table;
}

std::uint32_t crc32(std::string_view text) {
    static constexpr auto table = make_crc_table();
    std::uint32_t crc = ~0U;
    for (const char c : text)
        crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

std::string header_of(std::string_view text) {
    std::array<char, 9> checksum;
    std::snprintf(checksum.data(), checksum.size(), "%08x", crc32(text));
    return std::string(magic) + " " + std::string(version) + " " + checksum.data() + " " + std::to_string(text.size());
}

}  // namespace

std::string wrap_state(std::string_view text) {
    return header_of(text) + "\n" + std::string(text);
}

Result<std::string> unwrap_state(std::string_view file) {
    const auto header_end = file.find('\n');
    const std::string_view header = file.substr(0, header_end);
    std::string_view words = header;
    if (next_word(words) != magic)
        return Error(EBADMSG, "is no state file of tmmd");
    if (next_word(words) != version)
        return Error(EBADMSG, "is of another version");
    if (header_end == std::string_view::npos)
        return Error(EBADMSG, "is damaged (length)");
    const std::string_view text = file.substr(header_end + 1);
    if (header != header_of(text)) {
        next_word(words);
        const bool has_its_length = next_word(words) == std::to_string(text.size());
        return Error(EBADMSG, has_its_length ? "is damaged (checksum)" : "is damaged (length)");
    }
    return std::string(text);
}

Result<void> StateFile::save(std::string_view text) const {
    if (text.size() > max_bytes)
        return Error::from_errno(EFBIG, "saving " + file_.name());
    return file_.save(wrap_state(text));
}

Result<std::optional<std::string>> StateFile::load() const {
    auto content = file_.load();
    if (!content || !*content)
        return content;
    auto text = unwrap_state(**content);
    if (!text)
        return Error(text.error().code(), file_.name() + " " + text.error().message());
    return std::optional(*std::move(text));
}

}  // namespace tmm::storage
