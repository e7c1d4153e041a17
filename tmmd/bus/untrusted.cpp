// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/untrusted.hpp"

namespace tmm::bus {

namespace {

template <typename Value>
CapValue read_basic(sdbus::Message& message) {
    Value value{};
    message >> value;
    return value;
}

CapValue read_value(sdbus::Message& message) {
    const std::string type = wire::compat::peek_contents(message);
    if (type != "t" && type != "d" && type != "b" && type != "s")
        return std::monostate();  // unread: the reader refuses it
    // sdbus-c++ 2 takes no std::string here.
    message.enterVariant(type.c_str());  // NOLINT(readability-redundant-string-cstr)
    CapValue value = type == "t"   ? read_basic<std::uint64_t>(message)
                     : type == "d" ? read_basic<double>(message)
                     : type == "b" ? read_basic<bool>(message)
                                   : CapValue(wire::compat::read_text(message, max_cap_text + 1));
    message.exitVariant();
    return value;
}

}  // namespace

sdbus::Message& operator>>(sdbus::Message& message, CapsArgument& argument) {
    message.enterContainer("{sv}");
    while (message.enterDictEntry("sv")) {
        const std::string key = wire::compat::read_text(message, max_cap_key + 1);
        if (!argument.reader.add(key, read_value(message)))
            return message;  // nobody reads the rest
        message.exitDictEntry();
    }
    message.clearFlags();
    message.exitContainer();
    return message;
}

}  // namespace tmm::bus
