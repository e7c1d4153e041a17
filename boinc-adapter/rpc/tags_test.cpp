// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/tags.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::boinc {
namespace {

// Returns tags as <name|attributes> and texts in brackets; "..." at the end if it is cut off.
std::string walk(std::string_view text) {
    std::string all;
    Tags tags(text);
    for (Tags::Kind kind = tags.next(); kind != Tags::Kind::end; kind = tags.next()) {
        if (kind == Tags::Kind::data)
            all += "[" + std::string(tags.data()) + "]";
        else
            all += "<" + tags.name() + (tags.attributes().empty() ? "" : "|" + tags.attributes()) + ">";
    }
    return all + (tags.is_cut_off() ? "..." : "");
}

TEST(Tags, AreThoseOfTheClient) {
    EXPECT_EQ(walk(""), "");
    EXPECT_EQ(walk(" <a> x y </a>\n<b/><c />"), "<a>[x y]</a><b/><c/>");
    EXPECT_EQ(walk("<a b=\"1\" c='d/e'>"), "<a/|b=\"1\" c='de'>");
    EXPECT_EQ(walk("<?xml version=\"1.0\"?>"), "<?xml|version=\"1.0\"?>");
    EXPECT_EQ(walk("1<!-- <a> -->2<b>"), "[1][2]<b>");
    EXPECT_EQ(walk("<a>1<!-- <a> --><b>"), "<a>[1]<b>");
    EXPECT_EQ(walk("<a><![CDATA[ <b> ]]></a>"), "<a>[<b>]</a>");
}

TEST(Tags, EndWhereTheTextIsCutOff) {
    for (const char* text : {"<a", "x", "<!-- <a>", "<![CDATA[ <a>"})
        EXPECT_EQ(walk(text), "...") << text;
    EXPECT_EQ(walk(std::string("<a>\0<b>", 7)), "<a>...");
}

TEST(Tags, TellTheirText) {
    const auto text = [](std::string_view whole) {
        Tags tags(whole);
        EXPECT_TRUE(tags.next_tag());
        return tags.text();
    };
    EXPECT_EQ(text("<a> A & B </a>"), "A & B");
    EXPECT_EQ(text("<a>&lt;&amp;lt;&b;&gt;&quot;&apos;</a>"), "<&lt;&b;>\"'");
    EXPECT_EQ(text("<a>a<br>b</a>"), "a");
    EXPECT_EQ(text("<a> <![CDATA[ &lt; ]]></a>"), "&lt;");
    EXPECT_EQ(text("<a>"), "");
    EXPECT_EQ(text("<a><![CDATA[x"), "x");
}

}  // namespace
}  // namespace tmm::boinc
