// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text for a terminal: colours, tables, bars. Pure. Widths are in columns; 0 means no terminal, as wide as the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmm::ctl {

struct Screen {
    bool is_terminal = false;
    bool colours = false;
    std::size_t width = 0;
    std::size_t height = 0;  // in lines; 0: no limit
};

enum class Colour { plain, bold, green, yellow, red, blue };

// Returns the text in that colour, if the screen has colours. It does not escape the text; see printable().
std::string coloured(const Screen& screen, Colour colour, std::string_view text);

// Returns the colour of a state: green for giving and running, red for trouble, else yellow.
Colour colour_of_state(std::string_view state);

class Table {
public:
    enum class Kind { text, number, shrinks };  // numbers are right-aligned; a shrinking column is cut on a narrow screen
    struct Column {
        std::string title;
        Kind kind = Kind::text;
    };

    explicit Table(std::vector<Column> columns);

    // Adds a row, one cell a column; missing cells are empty. Control characters are escaped.
    void add(std::vector<std::string> cells);

    [[nodiscard]] bool empty() const { return rows_.empty(); }
    // Returns lines with line ends, the titles first.
    [[nodiscard]] std::string format(const Screen& screen) const;

private:
    [[nodiscard]] std::vector<std::size_t> widths(std::size_t screen_width) const;
    [[nodiscard]] std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

struct BarPart {
    std::uint64_t amount = 0;
    char sign = '?';
    Colour colour = Colour::plain;
};

// Returns "[####++..]": the parts of whole in their order, then blanks. A part above 0 has at least one sign.
std::string bar(const Screen& screen, const std::vector<BarPart>& parts, std::uint64_t whole);

}  // namespace tmm::ctl
