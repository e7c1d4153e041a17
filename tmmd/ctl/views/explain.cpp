// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/explain.hpp"

#include "base/text/json.hpp"
#include "base/text/utf8.hpp"
#include "tmmd/ctl/text/when.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {

std::string format_decisions(const wire::Status& status, const std::vector<wire::Decision>& decisions, std::time_t now,
                             const Screen& screen) {
    std::string text = coloured(screen, colour_of_state(status.state), printable(state_sentence(status, now)));
    text += ": " + printable(status.reason) + "\n\n";
    if (decisions.empty())
        return text + "No decision was taken yet.\n";
    Table table({{"FIRST"}, {"LAST"}, {"TIMES", Table::Kind::number}, {"KIND"}, {"WHY"}});
    for (const wire::Decision& decision : decisions) {
        table.add({format_near(decision.first_us, now), format_near(decision.last_us, now), std::to_string(decision.times),
                   decision.kind, decision.reason});
    }
    return text + table.format(screen);
}

std::string decisions_json(const wire::Status& status, const std::vector<wire::Decision>& decisions) {
    std::vector<std::string> objects;
    for (const wire::Decision& decision : decisions) {
        JsonObject object;
        object.count("first_unix_us", decision.first_us).count("last_unix_us", decision.last_us);
        objects.push_back(
            object.count("times", decision.times).text("kind", decision.kind).text("reason", decision.reason).str());
    }
    JsonObject all;
    add_reason(all.text("state", status.state), status);
    all.add("decisions", json_array(objects));
    return all.str() + "\n";
}

}  // namespace tmm::ctl
