// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/watcher.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "farmem/core/page.hpp"
#include "farmem/preload/maps_line.hpp"

namespace tmm::far {

namespace {

// Of a process: enough for a percent or two.
constexpr std::uint64_t max_samples = 512;
constexpr std::size_t max_maps = 16 << 20;
constexpr std::uint64_t is_present = std::uint64_t{1} << 63;
// Sanitizers and runtimes reserve more than any machine has.
constexpr std::uint64_t max_mapping = std::uint64_t{1} << 38;

}  // namespace

void Watcher::look() {
    std::string pids;
    const std::uint64_t bytes = add_up(std::to_string(first_), pids);
    watched_.peak_bytes = std::max(watched_.peak_bytes, bytes);
    if (bytes <= sampled_bytes_ + sampled_bytes_ / 8)
        return;
    sampled_bytes_ = bytes;
    double sum = 0;
    std::uint64_t count = 0;
    for (std::string_view rest = pids; !trim(rest).empty();)
        sample(std::string(next_word(rest)), sum, count);
    if (count > 0)
        watched_.compressed = sum / static_cast<double>(count);
}

// Returns the private memory of a process and its descendants. all: their pids are appended.
std::uint64_t Watcher::add_up(const std::string& pid, std::string& all) const {
    all += pid + " ";
    std::uint64_t bytes = 0;
    if (const auto text = proc_.read_file(pid + "/smaps_rollup")) {
        for (const char* name : {"Pss_Anon", "SwapPss"}) {
            const auto found = parse_meminfo_bytes(*text, name);
            bytes += found ? *found : 0;
        }
    }
    const auto threads = proc_.list_dirs(pid + "/task");
    for (const std::string& thread : threads ? *threads : std::vector<std::string>()) {
        const auto children = proc_.read_file(pid + "/task/" + thread + "/children");
        for (std::string_view rest = children ? std::string_view(*children) : ""; !trim(rest).empty();)
            bytes += add_up(std::string(next_word(rest)), all);
    }
    return bytes;
}

void Watcher::sample(const std::string& pid, double& sum, std::uint64_t& count) const {
    const auto maps = proc_.read_file(pid + "/maps", max_maps);
    const auto pagemap = proc_.open_file(pid + "/pagemap", O_RDONLY);
    const auto memory = proc_.open_file(pid + "/mem", O_RDONLY);
    if (!maps || !pagemap || !memory)
        return;
    std::vector<std::uint64_t> pages;
    std::vector<std::uint64_t> entries(1 << 16);
    for (std::string_view rest = *maps; !rest.empty();) {
        const MapsLine line = parse_maps_line(next_line(rest));
        if (!line.is_private_anonymous || line.last - line.first > max_mapping)
            continue;
        for (std::uint64_t at = line.first; at < line.last; at += entries.size() * page_bytes) {
            const std::size_t nr_entries = std::min<std::uint64_t>((line.last - at) / page_bytes, entries.size());
            const ssize_t bytes = ::pread(pagemap->get(), entries.data(), nr_entries * sizeof entries[0],
                                          static_cast<off_t>(at / page_bytes * sizeof entries[0]));
            for (std::size_t i = 0; bytes > 0 && i < static_cast<std::size_t>(bytes) / sizeof entries[0]; ++i) {
                if ((entries[i] & is_present) != 0)
                    pages.push_back(at + i * page_bytes);
            }
        }
    }
    std::array<char, page_bytes> page;
    const std::size_t step = pages.size() / max_samples + 1;
    for (std::size_t i = 0; i < pages.size(); i += step) {
        if (::pread(memory->get(), page.data(), page.size(), static_cast<off_t>(pages[i])) != static_cast<ssize_t>(page.size()))
            continue;
        sum += compressed_share({page.data(), page.size()});
        ++count;
    }
}

}  // namespace tmm::far
