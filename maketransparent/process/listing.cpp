// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/listing.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "maketransparent/options.hpp"

namespace tmm {

namespace {

constexpr std::size_t shown_pids = 6;

std::string format_pids(const std::vector<pid_t>& pids) {
    std::string text;
    for (std::size_t i = 0; i < std::min(pids.size(), shown_pids); ++i)
        text += (i == 0 ? "" : ",") + std::to_string(pids[i]);
    if (pids.size() > shown_pids)
        text += ",+" + std::to_string(pids.size() - shown_pids);
    return text;
}

bool contains_pid(const Contribution& contribution, pid_t pid) {
    return std::find(contribution.pids.begin(), contribution.pids.end(), pid) != contribution.pids.end();
}

}  // namespace

std::string format_list(const std::vector<Contribution>& contributions) {
    using Row = std::array<std::string, 4>;
    std::vector<Row> rows{{"NAME", "MEMORY", "PIDS", "CGROUP"}};
    for (const Contribution& contribution : contributions) {
        const std::string memory = contribution.memory_bytes ? format_bytes(*contribution.memory_bytes) : "-";
        rows.push_back({printable(contribution.name), memory, format_pids(contribution.pids), printable(contribution.cgroup)});
    }
    std::string text;
    for (const Row& row : rows) {
        // The last column is not padded: paths are long, and nothing follows.
        for (std::size_t column = 0; column + 1 < row.size(); ++column) {
            std::size_t width = 0;
            for (const Row& other : rows)
                width = std::max(width, columns_of(other[column]));
            text += row[column] + std::string(width - columns_of(row[column]) + 2, ' ');
        }
        text += row.back() + "\n";
    }
    return text;
}

Result<std::vector<pid_t>> find_target(const std::vector<Contribution>& contributions, const std::string& target) {
    const auto wanted_pid = parse_pid(target);
    std::vector<pid_t> found;
    for (const Contribution& contribution : contributions) {
        if (wanted_pid ? !contains_pid(contribution, *wanted_pid) : contribution.name != target)
            continue;
        if (contribution.foreign)
            return Error(EPERM, "'" + target + "' belongs to " + contribution.name +
                                    ", which systemd runs as a contribution: stop it, or change its Slice=");
        if (wanted_pid)
            return std::vector<pid_t>{*wanted_pid};
        found.insert(found.end(), contribution.pids.begin(), contribution.pids.end());
    }
    if (found.empty())
        return Error(ENOENT, "there is no contribution '" + target + "' (maketransparent --list shows them)");
    return found;
}

}  // namespace tmm
