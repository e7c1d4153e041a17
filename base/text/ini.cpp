// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/ini.hpp"

#include <cerrno>
#include <iterator>

#include "base/units.hpp"

namespace tmm {

namespace {

Error bad_line(const std::string& file, int line, const std::string& what) {
    return {EINVAL, file + ":" + std::to_string(line) + ": " + what};
}

Result<void> append_file(const RootDir& root, const std::string& path, std::vector<IniEntry>& entries) {
    auto text = root.read_file(path);
    if (!text)
        return std::move(text).error();
    auto parsed = parse_ini(*text, root.name_of(path));
    if (!parsed)
        return std::move(parsed).error();
    entries.insert(entries.end(), std::make_move_iterator(parsed->begin()), std::make_move_iterator(parsed->end()));
    return {};
}

}  // namespace

Result<std::vector<IniEntry>> parse_ini(std::string_view text, const std::string& file_name) {
    std::vector<IniEntry> entries;
    std::string section;
    int line_number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++line_number;
        if (line.empty() || line[0] == '#' || line[0] == ';')
            continue;
        if (line[0] == '[') {
            if (line.back() != ']' || line.size() < 3)
                return bad_line(file_name, line_number, "a section line must have the form [Name]");
            section = line.substr(1, line.size() - 2);
            continue;
        }
        const auto equals = line.find('=');
        if (equals == std::string_view::npos)
            return bad_line(file_name, line_number, "expected 'Key = value', found '" + std::string(line) + "'");
        const std::string key(trim(line.substr(0, equals)));
        if (key.empty())
            return bad_line(file_name, line_number, "no key before '='");
        if (section.empty())
            return bad_line(file_name, line_number, "'" + key + "' is before the first [Section]");
        entries.push_back({section, key, std::string(trim(line.substr(equals + 1))), file_name, line_number});
    }
    return entries;
}

Result<std::vector<IniEntry>> read_ini_with_dropins(const RootDir& root, const std::string& path, bool may_be_missing) {
    std::vector<IniEntry> entries;
    auto main_file = append_file(root, path, entries);
    if (!main_file && !(may_be_missing && main_file.error().code() == ENOENT))
        return std::move(main_file).error();
    auto dropins = root.list_names(path + ".d");
    if (!dropins && dropins.error().code() != ENOENT)
        return std::move(dropins).error();
    if (dropins) {
        for (const std::string& name : *dropins) {
            if (!name.ends_with(".conf"))
                continue;
            auto dropin = append_file(root, path + ".d/" + name, entries);
            if (!dropin)
                return std::move(dropin).error();
        }
    }
    return entries;
}

}  // namespace tmm
