// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/text/utf8.hpp"

namespace tmm {

std::string json_string(std::string_view text) {
    std::string quoted = "\"";
    while (!text.empty()) {
        const std::string_view before = text;
        const auto code_point = take_code_point(text);
        if (!code_point) {
            quoted += "\xEF\xBF\xBD";
        } else if (*code_point == '"' || *code_point == '\\') {
            quoted += '\\';
            quoted += before[0];
        } else if (is_control(*code_point)) {
            std::array<char, 16> buffer{};
            std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(*code_point));
            quoted += buffer.data();
        } else {
            quoted += before.substr(0, before.size() - text.size());
        }
    }
    return quoted + '"';
}

std::string json_number(double value) {
    if (!std::isfinite(value))
        return "null";
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::string json_array(const std::vector<std::string>& values) {
    std::string joined = "[";
    for (const std::string& value : values)
        joined += (joined.size() > 1 ? ", " : "") + value;
    return joined + "]";
}

JsonObject& JsonObject::add(std::string_view key, std::string_view value) {
    if (!members_.empty())
        members_ += ", ";
    members_.append(json_string(key)).append(": ").append(value);
    return *this;
}

}  // namespace tmm
