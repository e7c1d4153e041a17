// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/page_cgroups.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tmm::os {

namespace {

constexpr const char* cgroups_path = "proc/kpagecgroup";

// Frames that one read may span.
constexpr std::size_t max_span = 128;

}  // namespace

Result<PageCgroups> PageCgroups::open(const RootDir& root) {
    auto file = root.open_file(cgroups_path, O_RDONLY);
    if (!file)
        return std::move(file).error();
    return PageCgroups(*std::move(file), root.name_of(cgroups_path));
}

Result<std::vector<core::CgroupId>> PageCgroups::look_up(std::span<const std::uint64_t> pfns) const {
    std::vector<core::CgroupId> cgroups;
    cgroups.reserve(pfns.size());
    std::array<std::uint64_t, max_span> words{};
    for (auto first = pfns.begin(); first != pfns.end();) {
        const auto end = std::find_if(first, pfns.end(), [&](std::uint64_t pfn) { return pfn - *first >= max_span; });
        const std::uint64_t begin = *first;
        const std::size_t bytes = (*std::prev(end) - begin + 1) * sizeof words[0];
        const ssize_t got = ::pread(file_.get(), words.data(), bytes, static_cast<off_t>(begin * sizeof words[0]));
        if (got < 0 && errno != ENXIO)  // memory was removed
            return Error::from_errno(errno, path_);
        const auto nr_words = static_cast<std::size_t>(std::max<ssize_t>(got, 0)) / sizeof words[0];
        for (; first != end; ++first)
            cgroups.push_back(*first - begin < nr_words ? words[*first - begin] : core::unknown_cgroup);
    }
    return cgroups;
}

}  // namespace tmm::os
