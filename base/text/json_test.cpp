// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/json.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tmm {
namespace {

TEST(Json, StringsAreQuoted) {
    EXPECT_EQ(json_string("a \"b\" \\ c/d"), "\"a \\\"b\\\" \\\\ c/d\"");
    EXPECT_EQ(json_string("\x1b\n\t"), "\"\\u001b\\u000a\\u0009\"");
    EXPECT_EQ(json_string("größer 😀"), "\"größer 😀\"");
    EXPECT_EQ(json_string("a\xFFz"), "\"a\xEF\xBF\xBDz\"") << "JSON is UTF-8, also for other input";
    EXPECT_EQ(json_string(""), "\"\"");
}

TEST(Json, NumbersReadBackTheSame) {
    EXPECT_EQ(json_number(0.004), "0.004");
    EXPECT_EQ(json_number(1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(json_number(-2), "-2");
    EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "null");
    EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
}

TEST(Json, ObjectsKeepTheOrder) {
    JsonObject object;
    EXPECT_EQ(object.str(), "{}");
    object.text("state", "giving").count("total_bytes", 18446744073709551615U).flag("on", true).null("limit");
    object.number("share", 0.5).add("list", json_array({"1", "\"b\""}));
    EXPECT_EQ(object.str(),
              "{\"state\": \"giving\", \"total_bytes\": 18446744073709551615, \"on\": true, \"limit\": null, \"share\": 0.5, "
              "\"list\": [1, \"b\"]}");
    EXPECT_EQ(json_array({}), "[]");
}

}  // namespace
}  // namespace tmm
