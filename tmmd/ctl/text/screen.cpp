// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/text/screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/utf8.hpp"

namespace tmm::ctl {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t min_shrunk = 8;
constexpr std::size_t max_bar = 72;

}  // namespace

std::string coloured(const Screen& screen, Colour colour, std::string_view text) {
    if (!screen.colours || colour == Colour::plain)
        return std::string(text);
    constexpr std::array<std::string_view, 6> codes{"", "1", "32", "33", "31", "34"};
    std::string result = "\x1b[";
    result.append(codes.at(static_cast<std::size_t>(colour))).append("m").append(text).append("\x1b[0m");
    return result;
}

Colour colour_of_state(std::string_view state) {
    if (state == "giving" || state == "running")
        return Colour::green;
    if (state == "trouble")
        return Colour::red;
    return Colour::yellow;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    for (std::string& cell : cells)
        cell = printable(cell);
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths(std::size_t screen_width) const {
    std::vector<std::size_t> widths;
    std::size_t all = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t width = columns_of(columns_[i].title);
        for (const auto& row : rows_)
            width = std::max(width, columns_of(row[i]));
        widths.push_back(width);
        all += width + (i > 0 ? gap : 0);
    }
    // The widest column shrinks first, so that all stay readable as long as possible.
    while (screen_width > 0 && all > screen_width) {
        std::size_t* widest = nullptr;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (columns_[i].kind == Kind::shrinks && widths[i] > min_shrunk && (widest == nullptr || widths[i] > *widest))
                widest = &widths[i];
        }
        if (widest == nullptr)
            break;
        --*widest;
        --all;
    }
    return widths;
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = cut_to_columns(cells[i], widths[i]);
        const std::string blanks(widths[i] - std::min(widths[i], columns_of(cell)), ' ');
        const bool right = columns_[i].kind == Kind::number;
        text += (i > 0 ? std::string(gap, ' ') : "") + (right ? blanks + cell : cell + blanks);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::string Table::format(const Screen& screen) const {
    const auto widths = this->widths(screen.width);
    std::vector<std::string> titles;
    for (const Column& column : columns_)
        titles.push_back(column.title);
    std::string text = coloured(screen, Colour::bold, line(titles, widths)) + "\n";
    for (const auto& row : rows_)
        text += line(row, widths) + "\n";
    return text;
}

std::string bar(const Screen& screen, const std::vector<BarPart>& parts, std::uint64_t whole) {
    const std::size_t length = (screen.width == 0 ? max_bar : std::clamp<std::size_t>(screen.width, 12, max_bar)) - 2;
    std::string text = "[";
    std::size_t used = 0;
    double amount = 0;
    for (const BarPart& part : parts) {
        amount += static_cast<double>(part.amount);
        // It rounds ends, not lengths, so that errors do not add up.
        const double end = whole > 0 ? std::min(amount / static_cast<double>(whole), 1.0) * static_cast<double>(length) : 0;
        std::size_t filled = static_cast<std::size_t>(std::lround(end));
        if (part.amount > 0 && whole > 0)
            filled = std::min(std::max(filled, used + 1), length);
        if (filled > used) {
            text += coloured(screen, part.colour, std::string(filled - used, part.sign));
            used = filled;
        }
    }
    return text + std::string(length - used, ' ') + "]";
}

}  // namespace tmm::ctl
