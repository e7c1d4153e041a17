// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReadTracker: tells what happened to the cached pages of files that programs read by read(2). Such a use sets no reference bit,
// so neither generations nor footprints see it. Known are, for each cgroup, the cached pages of the files that its processes hold
// open, and how many page reads the cache served. Which pages these were is not known: each is as likely as any other. Pure; not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "tmmd/core/generations/generation_flow.hpp"
#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// Files that the processes of a cgroup hold open.
struct ReadFiles {
    Pages cached{0};  // in memory
    Pages used{0};    // of these, as far as is known, by read(2) since the last time
    Pages others{0};  // cached pages of other files that no process maps, if somebody asked for them

    bool operator==(const ReadFiles&) const = default;
    ReadFiles& operator+=(const ReadFiles& more);
};

using ReadFilesByCgroup = std::map<CgroupId, ReadFiles>;

// Returns how many different ones of so many pages are used by so many uses, if each is as likely as any other:
// pages * (1 - exp(-uses / pages)).
Pages expected_used(Pages pages, std::uint64_t uses);

// Removes these files' pages from the lists of generations, the oldest first: those of read(2) lie there. Lowers read by the
// pages that no list has. The lists have their cgroups' numbers.
void take_read_files(std::span<Generations> lists, ReadFilesByCgroup& read);

// Returns the other files, as files of which no use is known.
ReadFilesByCgroup others_of(const ReadFilesByCgroup& files);

class ReadTracker {
public:
    // list: that the pages' flow belongs to.
    explicit ReadTracker(PageList list = PageList::read) : list_(static_cast<std::size_t>(list)) {}

    // Ends an epoch, and adds its flow to those of the cgroups. At first all pages came.
    void end_epoch(const ReadFilesByCgroup& files, FlowByCgroup& flows);

private:
    struct Group {
        Pages cached{0};
        Pages recent{0};  // used or new in the last epoch
    };
    static PageFlow flow_of(const ReadFiles& files, const Group& group);

    std::size_t list_;
    std::map<CgroupId, Group> groups_;
};

}  // namespace tmm::core
