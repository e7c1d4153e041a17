// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/tags.hpp"

#include <array>
#include <utility>

#include "base/units.hpp"

namespace tmm::boinc {

namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";
constexpr std::string_view comment = "<!--";
constexpr std::string_view cdata = "<![CDATA[";

bool is_blank(char c) {
    return blanks.find(c) != std::string_view::npos;
}

std::string unescaped(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string out;
    while (!text.empty()) {
        char c = text.front();
        std::size_t size = 1;
        for (const auto& [entity, meaning] : entities) {
            if (c == '&' && size == 1 && text.starts_with(entity)) {
                c = meaning;
                size = entity.size();
            }
        }
        out += c;
        text.remove_prefix(size);
    }
    return out;
}

}  // namespace

Tags::Kind Tags::next() {
    for (;;) {
        begin_ = text_.find_first_not_of(blanks, end_);
        if (begin_ == std::string_view::npos) {
            begin_ = end_ = text_.size();
            is_cut_off_ = is_cut_off_ || has_zero_;
            return Kind::end;
        }
        const std::string_view rest = text_.substr(begin_);
        if (rest.starts_with(comment)) {
            const auto close = text_.find("-->", begin_ + comment.size());
            if (close == std::string_view::npos)
                return end_early();
            end_ = close + 3;
            continue;
        }
        if (rest.starts_with(cdata))
            return take_data(begin_ + cdata.size(), "]]>", false);
        return rest.front() == '<' ? take_tag() : take_data(begin_, "<", true);
    }
}

Tags::Kind Tags::end_early() {
    end_ = text_.size();
    is_cut_off_ = true;
    return Kind::end;
}

Tags::Kind Tags::take_tag() {
    const auto close = text_.find('>', begin_);
    if (close == std::string_view::npos)
        return end_early();
    end_ = close + 1;
    name_.clear();
    attributes_.clear();
    bool is_name = true;  // up to the first blank
    for (const char c : text_.substr(begin_ + 1, close - begin_ - 1)) {
        const bool is_first_blank = is_name && is_blank(c);
        is_name = is_name && !is_first_blank;
        if (is_name || c == '/')
            name_ += c;
        else if (!is_first_blank)
            attributes_ += c;
    }
    return Kind::tag;
}

// Takes the text from an offset up to `close`, which may begin the next tag.
Tags::Kind Tags::take_data(std::size_t from, std::string_view close, bool is_kept) {
    const auto found = text_.find(close, from);
    if (found == std::string_view::npos)
        return end_early();
    data_ = trim(text_.substr(from, found - from));
    end_ = is_kept ? found : found + close.size();
    return Kind::data;
}

bool Tags::next_tag() {
    Kind kind = next();
    while (kind == Kind::data)
        kind = next();
    return kind == Kind::tag;
}

bool Tags::skip_to(std::string_view name) {
    while (next_tag()) {
        if (name_ == name)
            return true;
    }
    return false;
}

std::string Tags::text() const {
    const std::string_view rest = text_.substr(end_);
    const std::string_view start = trim(rest);
    if (start.starts_with(cdata))
        return std::string(trim(start.substr(cdata.size(), start.find("]]>") - cdata.size())));
    return unescaped(trim(rest.substr(0, rest.find('<'))));
}

}  // namespace tmm::boinc
