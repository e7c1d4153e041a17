// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/override.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <sstream>

#include "base/units.hpp"
#include "boinc-adapter/rpc/xml.hpp"

namespace tmm::boinc {

namespace {

// Comments and declarations of the user stay in the merged file, too.
constexpr unsigned override_options = pugi::parse_full & ~static_cast<unsigned>(pugi::parse_doctype);
constexpr const char* root_name = "global_preferences";

struct Entry {
    const char* name;
    int digits;  // behind the point: as many as the client writes
    double (*value)(const Preferences&);
};

constexpr std::array<Entry, 3> entries{{
    {"ram_max_used_busy_pct", 6, [](const Preferences& ours) { return ours.busy_percent; }},
    {"ram_max_used_idle_pct", 6, [](const Preferences& ours) { return ours.idle_percent; }},
    {"leave_apps_in_memory", 0, [](const Preferences& ours) { return ours.leave_in_memory ? 1.0 : 0.0; }},
}};

// An empty file is an override without values, as the client takes it.
Result<void> parse_override(const OverrideText& text, pugi::xml_document& document) {
    if (!text || trim(*text).empty())
        return {};
    auto parsed = parse_xml(*text, document, override_options);
    if (!parsed)
        return std::move(parsed).error().with_context("the override of preferences");
    if (!document.child(root_name))
        return Error(EPROTO, "the override of preferences has no <global_preferences>");
    return {};
}

pugi::xml_node child_for(pugi::xml_node parent, const char* name) {
    const pugi::xml_node found = parent.child(name);
    return found ? found : parent.append_child(name);
}

std::string text_of(const pugi::xml_document& document) {
    std::ostringstream out;
    document.save(out, "    ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
    return out.str();
}

bool is_same_number(std::string_view text, double number) {
    // The manager shows two digits behind the point, and writes what it shows.
    constexpr double tolerance = 0.0051;
    const auto parsed = parse_double(text);
    return parsed && std::abs(*parsed - number) < tolerance;
}

}  // namespace

KnownPreferences preferences_of(const OverrideText& text, const Preferences& others) {
    KnownPreferences known{others, false};
    pugi::xml_document document;
    if (!parse_override(text, document))
        return known;
    const pugi::xml_node root = document.child(root_name);
    const auto busy = parse_double(trim(root.child_value("ram_max_used_busy_pct")));
    const auto idle = parse_double(trim(root.child_value("ram_max_used_idle_pct")));
    const auto leave = parse_double(trim(root.child_value("leave_apps_in_memory")));
    if (busy)
        known.preferences.busy_percent = *busy;
    if (idle)
        known.preferences.idle_percent = *idle;
    if (leave)
        known.preferences.leave_in_memory = *leave != 0;
    known.is_complete = busy && idle && leave;
    return known;
}

Result<std::string> merge_override(const OverrideText& users, const Preferences& ours) {
    pugi::xml_document document;
    auto parsed = parse_override(users, document);
    if (!parsed)
        return std::move(parsed).error();
    const pugi::xml_node root = child_for(document, root_name);
    for (const Entry& entry : entries)
        child_for(root, entry.name).text().set(format_fixed(entry.value(ours), entry.digits).c_str());
    return text_of(document);
}

Result<OverrideText> adopt_override(const OverrideText& changed, std::span<const Preferences> pushed, const OverrideText& users) {
    // The user removed the file: there is nothing of TMM in it.
    if (!changed)
        return OverrideText();
    pugi::xml_document now;
    pugi::xml_document before;
    auto parsed = parse_override(changed, now);
    if (parsed)
        parsed = parse_override(users, before);
    if (!parsed)
        return std::move(parsed).error();
    pugi::xml_node root = now.child(root_name);
    const pugi::xml_node old_root = before.child(root_name);
    bool had_ours = false;
    for (const Entry& entry : entries) {
        const pugi::xml_node found = root.child(entry.name);
        const auto is_there = [&](const Preferences& ours) { return is_same_number(found.child_value(), entry.value(ours)); };
        // Only a lone text is TMM's; a tree of elements, however deep, is not to be taken apart.
        if (found.first_child() != found.last_child() || std::none_of(pushed.begin(), pushed.end(), is_there))
            continue;
        had_ours = true;
        if (const pugi::xml_node old = old_root.child(entry.name))
            found.text().set(old.child_value());
        else
            root.remove_child(found);
    }
    // Without a value of TMM in it, the file is the user's as it is.
    return OverrideText(had_ours ? text_of(now) : *changed);
}

}  // namespace tmm::boinc
