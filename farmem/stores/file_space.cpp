// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/file_space.hpp"

#include <algorithm>
#include <utility>

namespace tmm::far {

void FileSpace::drop(EntryId entry) {
    const auto place = find(entry);
    if (!place)
        return;
    places_[entry] = none;
    --nr_records_;
    const std::uint64_t number = *place / segment_records;
    if (--segments_[number].nr_valid == 0 && number != current_)
        free(number);
}

void FileSpace::free(std::uint64_t number) {
    segments_[number] = {};
    free_.insert(number);
    emptied_.push_back(number);
}

std::optional<FileSpace::Places> FileSpace::reserve(std::uint64_t max) {
    if (current_ == none || segments_[current_].entries.size() == segment_records) {
        if (const std::uint64_t full = std::exchange(current_, none); full != none && segments_[full].nr_valid == 0)
            free(full);
        if (!free_.empty()) {
            current_ = *free_.begin();
            free_.erase(free_.begin());
        } else if (segments_.size() < max_segments_) {
            current_ = segments_.size();
            segments_.emplace_back();
        } else {
            return {};
        }
    }
    // A segment is freed while it is not the current one: no place of a former one may be left to commit.
    std::vector<EntryId>& entries = segments_[current_].entries;
    const std::uint64_t used = entries.size();
    entries.resize(std::min<std::uint64_t>(used + max, segment_records), no_entry);
    return Places{current_ * segment_records + used, entries.size() - used};
}

void FileSpace::commit(EntryId entry, Place place) {
    drop(entry);
    Segment& segment = segments_[place / segment_records];
    segment.entries[place % segment_records] = entry;
    ++segment.nr_valid;
    if (entry >= places_.size())
        places_.resize(std::size_t{entry} + 1, none);
    places_[entry] = place;
    ++nr_records_;
}

std::vector<std::uint64_t> FileSpace::take_emptied() {
    std::vector<std::uint64_t> found = std::exchange(emptied_, {});
    std::erase_if(found, [&](std::uint64_t number) { return !free_.contains(number); });
    return found;
}

std::vector<EntryId> FileSpace::to_clear() const {
    std::vector<EntryId> entries;
    // A few segments are not worth it.
    if (nr_segments() < 8 || nr_records_ * 2 > nr_segments() * segment_records)
        return entries;
    std::uint64_t emptiest = none;
    for (std::uint64_t number = 0; number < segments_.size(); ++number) {
        if (number != current_ && segments_[number].nr_valid > 0 &&
            (emptiest == none || segments_[number].nr_valid < segments_[emptiest].nr_valid))
            emptiest = number;
    }
    for (std::size_t i = 0; emptiest != none && i < segments_[emptiest].entries.size(); ++i) {
        const EntryId entry = segments_[emptiest].entries[i];
        if (entry != no_entry && find(entry) == emptiest * segment_records + i)
            entries.push_back(entry);
    }
    return entries;
}

}  // namespace tmm::far
