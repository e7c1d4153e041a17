// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The user's override of BOINC's preferences, global_prefs_override.xml: TMM's values go into it and out of it again. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// The text of the file; none: there is no file.
using OverrideText = std::optional<std::string>;

struct KnownPreferences {
    Preferences preferences;
    bool is_complete = false;  // the text has all three values
};

// Returns the three values that the client reads in the override; those of `others` where it reads none. Its parser is no parser
// of XML: it skips all behind a declaration, <host_venue> and <venue name=""> put BOINC's defaults in the place of values before
// them, of two elements the last counts, and 0 means 100 %.
KnownPreferences preferences_of(const OverrideText& text, const Preferences& others);

// Returns the user's override with the three values of `ours` in it, last and once, and without declarations. All else stays.
// Error: EPROTO or EFBIG, because the user's file is no XML, and nobody then knows what to keep; EINVAL, because the client would
// not read TMM's values behind the user's.
Result<std::string> merge_override(const OverrideText& users, const Preferences& ours);

// Returns the user's override after somebody changed the merged file: `changed` with TMM's values replaced by those of `users`,
// the text before the merge. pushed: all that TMM has merged into it since. A value that differs from each of these is the
// somebody's own and stays.
// Error: as above.
Result<OverrideText> adopt_override(const OverrideText& changed, std::span<const Preferences> pushed, const OverrideText& users);
inline Result<OverrideText> adopt_override(const OverrideText& changed, const Preferences& ours, const OverrideText& users) {
    return adopt_override(changed, std::span(&ours, 1), users);
}

}  // namespace tmm::boinc
