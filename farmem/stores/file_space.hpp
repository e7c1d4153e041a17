// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FileSpace: which record of a file store lies where. Records are appended to segments, so that a batch is one write; a segment
// without a record that is still valid is used again, and when less than half of the file is, the emptiest segment is cleared.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "farmem/core/page.hpp"

namespace tmm::far {

class FileSpace {
public:
    static constexpr std::uint32_t segment_records = 256;

    using Place = std::uint64_t;  // number of a record in the file

    // max_records: quota, rounded down to segments.
    explicit FileSpace(std::uint64_t max_records) : max_segments_(max_records / segment_records) {}

    [[nodiscard]] std::optional<Place> find(EntryId entry) const {
        if (entry >= places_.size() || places_[entry] == none)
            return {};
        return places_[entry];
    }
    // Returns where the next records go, one behind the other: at most max, and at least one. Nothing if the quota is reached.
    // Commit them before the next call, which may make other use of the rest.
    struct Places {
        Place first;
        std::uint64_t count;
    };
    std::optional<Places> reserve(std::uint64_t max);
    // The entry's record is there, and its former one is invalid.
    void commit(EntryId entry, Place place);
    void drop(EntryId entry);

    // Returns the entries of a segment that is worth clearing: write them elsewhere. Empty: none is.
    [[nodiscard]] std::vector<EntryId> to_clear() const;

    // Returns segments without a valid record: their part of the file can be given back. Each once.
    std::vector<std::uint64_t> take_emptied();

    [[nodiscard]] std::uint64_t nr_records() const { return nr_records_; }
    // In use, with invalid records.
    [[nodiscard]] std::uint64_t nr_segments() const { return segments_.size() - free_.size(); }

private:
    static constexpr Place none = ~Place{0};
    struct Segment {
        std::uint32_t nr_valid = 0;
        std::vector<EntryId> entries;  // by place; those that were never there, or moved on, are found out by places_
    };

    void free(std::uint64_t number);

    std::uint64_t max_segments_;
    std::vector<Place> places_;  // by entry
    std::vector<Segment> segments_;
    std::set<std::uint64_t> free_;
    std::vector<std::uint64_t> emptied_;
    std::uint64_t current_ = none;
    std::uint64_t nr_records_ = 0;
};

}  // namespace tmm::far
