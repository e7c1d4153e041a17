// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/lackey.hpp"

#include <cerrno>
#include <charconv>
#include <limits>

#include "tmmd/trace/record.hpp"

namespace tmm::trace {

namespace {

constexpr unsigned page_shift = 12;
constexpr std::uint64_t max_access_bytes = 1 << 16;  // far more than any instruction touches (XSAVE: some kilobytes)

bool is_access(std::string_view line) {
    return line.starts_with("I  ") || line.starts_with(" L ") || line.starts_with(" S ") || line.starts_with(" M ");
}

bool is_from_valgrind(std::string_view line) {
    return line.starts_with("==") || line.starts_with("--");
}

}  // namespace

bool looks_like_lackey(std::string_view line) {
    return is_access(line) || is_from_valgrind(line);
}

Result<std::optional<LackeyAccess>> parse_lackey(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (is_from_valgrind(line))
        return std::optional<LackeyAccess>();
    if (!is_access(line))
        return Error(EINVAL, in_quotes(line) + " is neither an access (I, L, S or M) nor a line of valgrind");
    const char* const start = line.data() + 3;
    const char* const end = line.data() + line.size();
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    const auto [comma, bad_address] = std::from_chars(start, end, address, 16);
    if (bad_address != std::errc() || comma == end || *comma != ',')
        return Error(EINVAL, in_quotes(line) + " has no hexadecimal address followed by a comma");
    const auto [rest, bad_size] = std::from_chars(comma + 1, end, size);
    if (bad_size != std::errc() || rest != end || size < 1 || size > max_access_bytes)
        return Error(EINVAL, in_quotes(line) + " has no size from 1 to 65536 bytes");
    if (address > std::numeric_limits<std::uint64_t>::max() - (size - 1))
        return Error(EINVAL, in_quotes(line) + " ends beyond the address space");
    return std::optional(LackeyAccess{address >> page_shift, (address + size - 1) >> page_shift});
}

}  // namespace tmm::trace
