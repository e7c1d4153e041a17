// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/oom_score.hpp"

#include <string>

#include "base/proc_text.hpp"
#include "base/units.hpp"

namespace tmm {

Result<void> raise_oom_score(const RootDir& root) {
    const std::string path = "proc/self/oom_score_adj";
    const auto text = root.read_file(path);
    if (!text)
        return text.error();
    const std::string now(trim(*text));
    const auto score = parse_uint(now);
    // A negative one is below, whatever it is.
    const bool is_below = now.starts_with('-') || (score && *score < contribution_oom_score_adj);
    return is_below ? root.write_file(path, std::to_string(contribution_oom_score_adj)) : Result<void>();
}

}  // namespace tmm
