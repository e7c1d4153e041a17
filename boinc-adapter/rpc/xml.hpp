// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Bounded parsing of XML from outside, for the files of this folder only. Pure.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string_view>

#include "base/result.hpp"

namespace tmm::boinc {

// A node takes about 70 bytes of memory for three of text: this bounds the memory that a hostile reply takes to 30 MB.
inline constexpr std::size_t max_xml_tags = 400'000;

// Parses text into document. Entities that a document defines itself, which could grow without bound, stay as they are.
// options: of pugixml. Error: EPROTO for text that is cut off or no XML, EFBIG for too many tags.
Result<void> parse_xml(std::string_view text, pugi::xml_document& document, unsigned options);

}  // namespace tmm::boinc
