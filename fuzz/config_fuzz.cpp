// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the parsers of tmmd.conf and of the units in it.
#include "base/units.hpp"
#include "fuzz/fuzz.hpp"
#include "tmmd/config/config.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    const std::string_view text = fuzz::text_of(data, size);
    const auto entries = parse_ini(text, "t.conf");
    if (entries) {
        for (const IniEntry& entry : *entries)
            TMM_REQUIRE(!entry.key.empty() && entry.line > 0);
        const auto config = config::make_config(*entries);
        if (config)
            TMM_REQUIRE(config->policy.min_opaque >= 0.01 && config->policy.rule.beta >= 1);
    } else {
        TMM_REQUIRE(entries.error().message().starts_with("t.conf:"));
    }
    const auto number = parse_uint(text);
    if (number)
        TMM_REQUIRE(parse_uint(std::to_string(*number)).value() == *number);
    const auto bytes = parse_bytes(text);
    if (bytes)
        TMM_REQUIRE(!format_bytes(*bytes).empty());
    const auto duration = parse_duration(text);
    if (duration)
        TMM_REQUIRE(duration->count() >= 0);
    (void)parse_bool(text);
    return 0;
}
