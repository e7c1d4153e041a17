// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tags: reads text as BOINC's own parser does (its lib/parse.cpp), which is no parser of XML. A tag ends at the first '>', nobody
// checks that tags match, and projects' markup stands in it as it came. So one strange element hides none of its neighbours. It
// takes no memory for depth or length. For the files of this folder only. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tmm::boinc {

class Tags {
public:
    enum class Kind { tag, data, end };

    // text must outlive it. Like the client, it ends at the first byte 0.
    explicit Tags(std::string_view text) : text_(text.substr(0, text.find('\0'))), has_zero_(text.size() != text_.size()) {}

    // Goes to the next tag or text. end: there is no further one, or it is cut off. Comments and blanks are left out.
    Kind next();
    // Goes to the next tag. Returns whether there is one.
    bool next_tag();
    // Goes to the tag of this name. Returns whether there is one.
    bool skip_to(std::string_view name);

    // Returns the tag's name: "a", "/a" for an end, "a/" for an empty element. A slash in an attribute goes to the end of the
    // name.
    [[nodiscard]] const std::string& name() const { return name_; }
    // Returns the tag's attributes without slashes.
    [[nodiscard]] const std::string& attributes() const { return attributes_; }
    // Returns the text: without outer blanks, and with its entities as they are.
    [[nodiscard]] std::string_view data() const { return data_; }
    // Returns the text behind the tag up to the next one, with BOINC's entities as characters.
    [[nodiscard]] std::string text() const;

    // At the end: returns whether a byte 0 was there, or a tag, comment or text without its end.
    [[nodiscard]] bool is_cut_off() const { return is_cut_off_; }

    // Where the tag or text begins in the whole, and where it ends.
    [[nodiscard]] std::size_t begin() const { return begin_; }
    [[nodiscard]] std::size_t end() const { return end_; }

private:
    Kind end_early();
    Kind take_tag();
    Kind take_data(std::size_t from, std::string_view end, bool is_kept);

    std::string_view text_;
    bool has_zero_;
    bool is_cut_off_ = false;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::string name_;
    std::string attributes_;
    std::string_view data_;
};

}  // namespace tmm::boinc
