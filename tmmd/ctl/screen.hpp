// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a terminal is told: colours, tables, bars. Pure. Widths are in columns; 0 is as wide as the text is (no terminal).
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
    std::size_t height = 0;  // in lines; 0: no end
};

enum class Colour { plain, bold, green, yellow, red, blue };

// The text in that colour, if the screen has colours. text is printed as it is.
std::string coloured(const Screen& screen, Colour colour, std::string_view text);

// That of a state: giving is green, trouble is red.
Colour colour_of_state(std::string_view state);

class Table {
public:
    enum class Kind { text, number, shrinks };  // numbers stand right; what shrinks is cut where the screen is narrow
    struct Column {
        std::string title;
        Kind kind = Kind::text;
    };

    explicit Table(std::vector<Column> columns);

    // One cell a column; a missing one is empty. Control characters are escaped.
    void add(std::vector<std::string> cells);

    [[nodiscard]] bool empty() const { return rows_.empty(); }
    // Lines with line ends, the titles first.
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

// "[####++..]": parts of whole, in their order; a part that is not 0 has a sign at least. What is left of whole is blank.
std::string bar(const Screen& screen, const std::vector<BarPart>& parts, std::uint64_t whole);

}  // namespace tmm::ctl
