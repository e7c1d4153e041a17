// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Types of the arguments whose size a caller chooses. sdbus-c++ reads each argument before anybody asks who calls: it would copy
// strings of 32 MiB and build maps of a million entries. These types read a bounded part of the message. ./glue puts them into
// the generated adaptor. For the sources of bus/ only.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "tmmd/bus/arguments.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

// The first max_bytes of a string. The bound must exceed the longest valid text, so that a longer one is refused.
template <std::size_t max_bytes>
struct TextArgument {
    std::string text;
};

template <std::size_t max_bytes>
sdbus::Message& operator>>(sdbus::Message& message, TextArgument<max_bytes>& argument) {
    argument.text = wire::compat::read_text(message, max_bytes);
    return message;
}

using NameArgument = TextArgument<4 * (max_name_characters + 1)>;
using WordArgument = TextArgument<16>;

// The dictionary of SetCaps(), read up to the first entry that is wrong.
struct CapsArgument {
    CapsReader reader;
};

sdbus::Message& operator>>(sdbus::Message& message, CapsArgument& argument);

}  // namespace tmm::bus

namespace sdbus {

template <std::size_t max_bytes>
struct signature_of<tmm::bus::TextArgument<max_bytes>> : signature_of<std::string> {};

template <>
struct signature_of<tmm::bus::CapsArgument> : signature_of<std::map<std::string, Variant>> {};

}  // namespace sdbus
