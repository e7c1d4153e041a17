// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/oom_score.hpp"

#include <string>
#include <string_view>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm {

namespace {

constexpr std::string_view file = "oom_score_adj";

Result<std::string> read(const RootDir& process) {
    auto text = process.read_file(file);
    if (!text)
        return text;
    return std::string(trim(*text));
}

}  // namespace

Result<void> raise_oom_score(const RootDir& process) {
    const auto now = read(process);
    if (!now)
        return now.error();
    const auto score = parse_uint(*now);
    // A negative one is below, whatever it is.
    const bool is_below = now->starts_with('-') || (score && *score < contribution_oom_score_adj);
    return is_below ? process.write_file(file, std::to_string(contribution_oom_score_adj)) : Result<void>();
}

Result<void> lower_oom_score(const RootDir& process, const RootDir& like) {
    const auto now = read(process);
    if (!now)
        return now.error();
    if (*now != std::to_string(contribution_oom_score_adj))
        return {};
    const auto wanted = read(like);
    return wanted ? process.write_file(file, *wanted) : Result<void>(wanted.error());
}

}  // namespace tmm
