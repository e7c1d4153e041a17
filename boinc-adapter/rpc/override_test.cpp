// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/override.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace tmm::boinc {
namespace {

constexpr Preferences ours{.busy_percent = 12.5, .idle_percent = 12.5, .leave_in_memory = true};

Preferences values_of(const std::string& text) {
    return preferences_of(text, {}).preferences;
}

// tests/test_boinc.py lets the real client read the same files, and wants it to read the same.
std::string file_of(const std::string& name) {
    std::ostringstream out;
    out << std::ifstream(std::string(TMM_OVERRIDES) + "/" + name + ".xml").rdbuf();
    return out.str();
}

struct Reading {
    const char* name;
    Preferences read;
};

TEST(Override, IsReadAsTheClientReadsIt) {
    for (const auto& [name, read] : {
             Reading{"normal", {70, 80, false}},
             Reading{"declaration", {50, 90, false}},
             Reading{"declaration_inside", {70, 90, false}},
             Reading{"doctype", {50, 90, false}},
             Reading{"venue_last", {50, 90, false}},
             Reading{"venue_first", {70, 90, true}},
             Reading{"venues", {70, 60, false}},
             Reading{"nameless_venue", {50, 25, false}},
             Reading{"zero", {100, 100, false}},
             Reading{"twice", {30, 90, false}},
             Reading{"empty_elements", {100, 90, true}},
             Reading{"empty_flag", {70, 90, false}},
             Reading{"empty_root", {50, 90, false}},
             Reading{"no_numbers", {50, 90, false}},
             Reading{"other_numbers", {45, 55, true}},
             Reading{"nested", {50, 60, true}},
             Reading{"behind_the_end", {70, Preferences::min_percent, false}},
         })
        EXPECT_EQ(values_of(file_of(name)), read) << name;
}

TEST(Override, IsMergedSoThatTheClientReadsTmmsValues) {
    for (const char* name : {"normal", "declaration", "declaration_inside", "doctype", "venue_last", "venue_first", "venues",
                             "zero", "twice", "empty_elements", "empty_root", "no_numbers", "other_numbers", "nested"}) {
        const std::string users = file_of(name);
        const auto merged = merge_override(users, ours);
        ASSERT_TRUE(merged) << name << ": " << merged.error().message();
        EXPECT_EQ(values_of(*merged), ours) << name << "\n" << *merged;
        EXPECT_EQ(merged->find("<?"), std::string::npos) << name;
        EXPECT_EQ(merged->find("<!D"), std::string::npos) << name;
        // What the client reads in it after somebody took TMM's values out is what the user wrote, declarations aside.
        const std::string adopted = *adopt_override(*merged, ours, users).value();
        const std::string bare = users.substr(users.find("<global_preferences"));
        if (std::string(name).find("declaration") == std::string::npos && std::string(name) != "doctype") {
            EXPECT_EQ(values_of(adopted), values_of(bare)) << name << "\n" << adopted;
        }
    }
}

// The client skips all behind an empty flag, and all behind a venue without a name.
TEST(Override, ThatWouldHideTmmsValuesIsNotMerged) {
    for (const char* name : {"empty_flag", "nameless_venue"})
        EXPECT_EQ(merge_override(file_of(name), ours).error().code(), EINVAL) << name;
}

TEST(Override, NeverGetsAZero) {
    for (const double percent : {0.0, -5.0, 1e-9}) {
        const std::string merged = merge_override(OverrideText(), {percent, percent, false}).value();
        EXPECT_EQ(values_of(merged), (Preferences{Preferences::min_percent, Preferences::min_percent, false})) << merged;
    }
}

TEST(Override, GrowsByTmmsValuesOnly) {
    std::string deep = "<global_preferences>";
    for (int i = 0; i < 10'000; ++i)
        deep += "<a>";
    std::string wide = deep.substr(0, deep.find('>') + 1);
    for (int i = 0; i < 10'000; ++i)
        deep += "</a>";
    for (int i = 0; i < 10'000; ++i)
        wide += "<a></a>";
    EXPECT_EQ(merge_override(deep + "</global_preferences>", ours).error().code(), EFBIG);
    EXPECT_EQ(adopt_override(deep + "</global_preferences>", ours, OverrideText()).error().code(), EFBIG);
    wide += "</global_preferences>";
    EXPECT_LT(merge_override(wide, ours)->size(), wide.size() + 250);
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
    for (const char* users : {"<global_preferences>", "text", "<other/>", "<global_preferences></x>", "<global_preferences/>x",
                              "<global_preferences/><!--", "<global_preferences/><global_preferences/>"})
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
