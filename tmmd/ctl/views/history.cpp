// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/history.hpp"

#include "base/text/json.hpp"
#include "base/units.hpp"
#include "tmmd/ctl/text/when.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {

namespace {

JsonObject row_json(const wire::HistoryRow& row) {
    JsonObject object;
    object.count("start_unix_us", row.start_us).count("measured_s", row.measured_s);
    object.count("opaque_bytes", row.opaque_bytes).count("transparent_bytes", row.transparent_bytes);
    object.count("free_bytes", row.free_bytes);
    object.count("opaque_limit_bytes", row.opaque_limit_bytes).count("transparent_limit_bytes", row.transparent_limit_bytes);
    return object.number("stall_share", row.stall).count("return_faults", row.return_faults);
}

}  // namespace

std::string format_history(const std::vector<wire::HistoryRow>& rows, const Screen& screen) {
    if (rows.empty())
        return "There is no history yet.\n";
    constexpr auto number = Table::Kind::number;
    Table table({{"FROM"},
                 {"FOR", number},
                 {"OPAQUE", number},
                 {"LIMIT", number},
                 {"GIVEN", number},
                 {"LIMIT", number},
                 {"FREE", number},
                 {"WAITED", number},
                 {"RETURN FAULTS", number}});
    for (const wire::HistoryRow& row : rows) {
        table.add({format_date(row.start_us), format_span(std::chrono::seconds(row.measured_s)), format_bytes(row.opaque_bytes),
                   format_bytes(row.opaque_limit_bytes), format_bytes(row.transparent_bytes),
                   format_bytes(row.transparent_limit_bytes), format_bytes(row.free_bytes), format_share(row.stall),
                   std::to_string(row.return_faults)});
    }
    return table.format(screen);
}

std::string history_csv(const std::vector<wire::HistoryRow>& rows) {
    std::string text =
        "start_unix_us,measured_s,opaque_bytes,transparent_bytes,free_bytes,opaque_limit_bytes,"
        "transparent_limit_bytes,stall_share,return_faults\n";
    for (const wire::HistoryRow& row : rows) {
        for (const std::uint64_t value : {row.start_us, row.measured_s, row.opaque_bytes, row.transparent_bytes, row.free_bytes,
                                          row.opaque_limit_bytes, row.transparent_limit_bytes})
            text += std::to_string(value) + ",";
        // An empty cell is what tables take for "not known".
        const std::string stall = json_number(row.stall);
        text += (stall == "null" ? "" : stall) + "," + std::to_string(row.return_faults) + "\n";
    }
    return text;
}

std::string history_json(const std::string& resolution, const std::vector<wire::HistoryRow>& rows) {
    std::vector<std::string> objects;
    objects.reserve(rows.size());
    for (const wire::HistoryRow& row : rows)
        objects.push_back(row_json(row).str());
    return JsonObject().text("resolution", resolution).add("rows", json_array(objects)).str() + "\n";
}

}  // namespace tmm::ctl
