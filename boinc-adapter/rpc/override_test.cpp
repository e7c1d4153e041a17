// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/override.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "boinc-adapter/rpc/replies.hpp"

namespace tmm::boinc {
namespace {

constexpr Preferences ours{.busy_percent = 12.5, .idle_percent = 12.5, .leave_in_memory = true};

Preferences values_of(const std::string& text) {
    return parse_preferences("<boinc_gui_rpc_reply>" + text + "</boinc_gui_rpc_reply>").value();
}

TEST(Override, TakesTheValuesAndKeepsAllOthers) {
    const std::string users =
        "<!-- mine -->\n<global_preferences>\n  <run_on_batteries>1</run_on_batteries>\n"
        "  <ram_max_used_busy_pct>50</ram_max_used_busy_pct>\n  <day_prefs><day_of_week>1</day_of_week></day_prefs>\n"
        "</global_preferences>";
    const std::string merged = merge_override(users, ours).value();
    EXPECT_EQ(values_of(merged), ours);
    EXPECT_NE(merged.find("<!-- mine -->"), std::string::npos);
    EXPECT_NE(merged.find("<run_on_batteries>1</run_on_batteries>"), std::string::npos);
    EXPECT_NE(merged.find("<day_of_week>1</day_of_week>"), std::string::npos);
    EXPECT_EQ(merged.find(">50<"), std::string::npos);
}

TEST(Override, IsMadeIfThereIsNoneOrAnEmptyOne) {
    for (const OverrideText& users : {OverrideText(), OverrideText(""), OverrideText("\n ")})
        EXPECT_EQ(values_of(merge_override(users, ours).value()), ours);
}

TEST(Override, ThatIsNoXmlIsLeftAlone) {
    for (const char* users : {"<global_preferences>", "text", "<other/>", "<global_preferences></x>"})
        EXPECT_EQ(merge_override(users, ours).error().code(), EPROTO) << users;
}

TEST(Override, ThatTheUserChangedKeepsTheChangeAndLosesTheValuesOfTmm) {
    const std::string users = "<global_preferences><ram_max_used_busy_pct>50</ram_max_used_busy_pct></global_preferences>";
    std::string changed = merge_override(users, ours).value();
    changed.insert(changed.find("</global_preferences>"), "<max_ncpus_pct>40</max_ncpus_pct>");
    const std::string adopted = *adopt_override(changed, ours, users).value();
    EXPECT_NE(adopted.find("<max_ncpus_pct>40</max_ncpus_pct>"), std::string::npos);
    EXPECT_EQ(values_of(adopted), (Preferences{50, 90, false}));
    // As before the merge, these are not there: the project's own preferences count.
    EXPECT_EQ(adopted.find("ram_max_used_idle_pct"), std::string::npos);
    EXPECT_EQ(adopted.find("leave_apps_in_memory"), std::string::npos);
}

TEST(Override, ThatTheManagerWroteInItsOwnFormIsAdoptedToo) {
    const std::string manager =
        "<global_preferences>\n   <ram_max_used_busy_pct>12.500000000</ram_max_used_busy_pct>\n"
        "   <ram_max_used_idle_pct>70.000000</ram_max_used_idle_pct>\n</global_preferences>\n";
    const std::string adopted = *adopt_override(manager, ours, OverrideText()).value();
    // The user's new choice stays; the other was TMM's.
    EXPECT_EQ(values_of(adopted), (Preferences{50, 70, false}));
}

TEST(Override, ThatHasNothingOfTmmIsTheUsersByteForByte) {
    const std::string changed = "<global_preferences >\n\t<x>1</x></global_preferences>  ";
    EXPECT_EQ(adopt_override(changed, ours, "<global_preferences/>").value(), OverrideText(changed));
    EXPECT_EQ(adopt_override(std::nullopt, ours, "<global_preferences/>").value(), OverrideText());
}

}  // namespace
}  // namespace tmm::boinc
