// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes JSON (RFC 8259). All functions are pure. Keys keep the order in which they were added.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmm {

// Returns text as a JSON string, with quotation marks. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

// Returns value as JSON; "null" for NaN and infinity.
std::string json_number(double value);

// Returns an array of values that are JSON already.
std::string json_array(const std::vector<std::string>& values);

class JsonObject {
public:
    // Adds a member; value is JSON already.
    JsonObject& add(std::string_view key, std::string_view value);

    JsonObject& text(std::string_view key, std::string_view value) { return add(key, json_string(value)); }
    JsonObject& number(std::string_view key, double value) { return add(key, json_number(value)); }
    JsonObject& count(std::string_view key, std::uint64_t value) { return add(key, std::to_string(value)); }
    JsonObject& flag(std::string_view key, bool value) { return add(key, value ? "true" : "false"); }
    JsonObject& null(std::string_view key) { return add(key, "null"); }

    // Returns the object on one line.
    [[nodiscard]] std::string str() const { return "{" + members_ + "}"; }

private:
    std::string members_;
};

}  // namespace tmm
