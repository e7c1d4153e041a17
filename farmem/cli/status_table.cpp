// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/status_table.hpp"

#include <array>
#include <map>
#include <optional>

#include "base/units.hpp"

namespace tmm::far {

namespace {

constexpr std::size_t name_width = 16;
constexpr std::size_t width = 10;

std::string_view take(std::string_view& text, char end) {
    const std::string_view taken = text.substr(0, text.find(end));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

using Values = std::map<std::string_view, std::string_view>;

std::optional<std::uint64_t> number(const Values& values, std::string_view key) {
    const auto found = values.find(key);
    const auto parsed = found == values.end() ? Result<std::uint64_t>(Error(ENOENT, "")) : parse_uint(found->second);
    return parsed ? std::optional(*parsed) : std::nullopt;
}

std::string text_of(const Values& values, std::string_view key) {
    const auto found = values.find(key);
    return found == values.end() ? "-" : std::string(found->second);
}

std::string size_of(const Values& values, std::string_view key) {
    const auto bytes = number(values, key);
    return bytes ? format_bytes(*bytes) : "-";
}

// Of faults on far pages, those that needed no store.
std::string hits_of(const Values& values) {
    const auto hits = number(values, "slot-hits");
    const auto fetches = number(values, "fetches");
    if (!hits || !fetches || *hits + *fetches == 0)
        return "-";
    return format_fixed(100 * static_cast<double>(*hits) / static_cast<double>(*hits + *fetches), 0) + " %";
}

// Of all bytes that came in lately.
std::string link_of(const Values& values) {
    const auto found = values.find("link-share-now");
    const auto share = found == values.end() ? Result<double>(Error(ENOENT, "")) : parse_double(found->second);
    return share ? format_fixed(100 * *share, 0) + " %" : "-";
}

void append(std::string& line, const std::string& word, std::size_t to) {
    line += word;
    line.append(word.size() < to ? to - word.size() : 1, ' ');
}

void end_line(std::string& table) {
    table.erase(table.find_last_not_of(' ') + 1);
    table += '\n';
}

}  // namespace

std::string status_table(std::string_view status) {
    std::string table;
    append(table, "NAME", name_width);
    for (const char* const title :
         {"LIMIT", "LOCAL", "FAR", "WRITING", "FAULTS/S", "P50 us", "P99 us", "WAITING", "LINK", "HITS", "STORE"})
        append(table, title, width);
    end_line(table);
    while (!status.empty()) {
        std::string_view line = take(status, '\n');
        const std::string name(take(line, ' '));
        if (name.empty())
            continue;
        Values values;
        while (!line.empty()) {
            std::string_view word = take(line, ' ');
            const std::string_view key = take(word, '=');
            values[key] = word;
        }
        append(table, name, name_width);
        for (const std::string& word :
             {size_of(values, "limit"), size_of(values, "local"), size_of(values, "far"), size_of(values, "write-list"),
              text_of(values, "faults/s"), text_of(values, "p50-us"), text_of(values, "p99-us"), text_of(values, "waiting"),
              link_of(values), hits_of(values), text_of(values, "store")})
            append(table, word, width);
        end_line(table);
    }
    return table;
}

}  // namespace tmm::far
