// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/record.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace tmm::trace {

namespace {

Error malformed(const std::string& what) {
    return {EINVAL, what};
}

// Reads a line field by field, without copies: a replay reads hundreds of millions of lines.
class Fields {
public:
    explicit Fields(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

    // Returns the text up to the next comma and skips the comma; the last field ends with the line.
    std::string_view next() {
        const char* start = at_;
        while (at_ != end_ && *at_ != ',')
            ++at_;
        const std::string_view field(start, static_cast<std::size_t>(at_ - start));
        if (at_ != end_)
            ++at_;
        else
            complete_ = true;
        return field;
    }
    // Returns whether the end of the line was reached.
    [[nodiscard]] bool complete() const { return complete_; }

private:
    const char* at_;
    const char* end_;
    bool complete_ = false;
};

// Parses a whole number and nothing else. Returns whether the text is one.
template <typename Number>
bool read_number(std::string_view text, int base, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}

bool printable(char c) {
    return c >= ' ' && c <= '~';
}

}  // namespace

std::string in_quotes(std::string_view text) {
    constexpr std::size_t max_shown = 40;
    std::string shown(text.substr(0, max_shown));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return !printable(c); }, '?');
    return "'" + shown + (text.size() > max_shown ? "...'" : "'");
}

Result<Record> parse_record(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    Fields fields(line);
    const std::string_view t_us = fields.next();
    const std::string_view page_class = fields.next();
    const std::string_view kind = fields.next();
    const std::string_view page = fields.next();
    if (fields.complete())
        return malformed("fewer than the five fields " + std::string(columns));
    const std::string_view weight = fields.next();
    if (!fields.complete())
        return malformed("more than the five fields " + std::string(columns));

    Record record;
    if (!read_number(t_us, 10, record.t_us) || record.t_us > max_t_us)
        return malformed(in_quotes(t_us) + " is not a time in microseconds, at most ten years");
    if (page_class == "t")
        record.page_class = PageClass::transparent;
    else if (page_class != "o")
        return malformed(in_quotes(page_class) + " is not a class, o or t");
    if (kind == "e")
        record.kind = RecordKind::evicted;
    else if (kind == "f")
        record.kind = RecordKind::freed;
    else if (kind != "r")
        return malformed(in_quotes(kind) + " is not a kind, r, e or f");
    if (page.empty() || !read_number(page, 16, record.page))
        return malformed(in_quotes(page) + " is not a page key of at most 16 hexadecimal digits");
    if (!read_number(weight, 10, record.weight) || record.weight < 1 || record.weight > max_weight)
        return malformed(in_quotes(weight) + " is not a weight from 1 to " + std::to_string(max_weight));
    return record;
}

std::string format_record(const Record& record) {
    std::array<char, 16> key{};
    const auto end = std::to_chars(key.data(), key.data() + key.size(), record.page, 16).ptr;
    std::string line = std::to_string(record.t_us);
    line += record.page_class == PageClass::opaque ? ",o," : ",t,";
    switch (record.kind) {
        case RecordKind::referenced:
            line += 'r';
            break;
        case RecordKind::evicted:
            line += 'e';
            break;
        case RecordKind::freed:
            line += 'f';
            break;
    }
    line += ',';
    line.append(key.data(), end);
    return line + ',' + std::to_string(record.weight) + '\n';
}

}  // namespace tmm::trace
