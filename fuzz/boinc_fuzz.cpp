// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the replies of a BOINC client, their way through a session, and the user's override of its preferences.
#include <algorithm>

#include "boinc-adapter/rpc/override.hpp"
#include "boinc-adapter/rpc/replies.hpp"
#include "boinc-adapter/rpc/session.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace tmm;
using namespace tmm::boinc;

void parse(std::string_view text) {
    (void)parse_done(text);
    (void)parse_authorized(text);
    (void)parse_nonce(text);
    (void)parse_version(text);
    (void)parse_mode(text);
    (void)parse_works(text);
    if (const auto memory = parse_memory_bytes(text))
        TMM_REQUIRE(*memory > 0);
    if (const auto preferences = parse_preferences(text))
        TMM_REQUIRE(preferences->busy_percent >= 0 && preferences->busy_percent <= 100);
    if (const auto tasks = parse_tasks(text)) {
        for (const Task& task : *tasks)
            TMM_REQUIRE(!task.id.name.empty() && !task.id.project_url.empty());
    }
}

void converse(std::string_view text) {
    Session session;
    session.set_password("password");
    session.begin(Session::Time(0));
    session.connected(Session::Time(0));
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, 1 + text.size() % 100);
        text.remove_prefix(piece.size());
        if (!session.received(piece, Session::Time(0)))
            break;
        (void)session.ask(1, "x\003", Session::Time(0));
    }
    session.lost(Session::Time(0));
    while (session.next_answer()) {
    }
}

void override_preferences(std::string_view text) {
    const OverrideText users{std::string(text)};
    const Preferences ours{.busy_percent = 25, .idle_percent = 25, .leave_in_memory = true};
    const auto merged = merge_override(users, ours);
    if (!merged)
        return;
    TMM_REQUIRE(preferences_of(*merged, {}).preferences == ours);
    TMM_REQUIRE(merged->size() < text.size() + 300);
    TMM_REQUIRE(adopt_override(*merged, ours, users).has_value());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    parse(text);
    converse(text);
    override_preferences(text);
    return 0;
}
