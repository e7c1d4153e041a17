// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/xml.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

namespace tmm::boinc {

Result<void> parse_xml(std::string_view text, pugi::xml_document& document, unsigned options) {
    if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '<')) > max_xml_tags)
        return Error(EFBIG, "more than " + std::to_string(max_xml_tags) + " tags");
    // Clients copy names from projects in any encoding: without conversion, bytes stay as they are.
    const auto parsed = document.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
    if (!parsed)
        return Error(EPROTO, std::string("no valid XML: ") + parsed.description());
    return {};
}

}  // namespace tmm::boinc
