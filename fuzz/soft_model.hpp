// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// For soft_fuzz.cpp: the model of an element of a soft container, and a type with a strict serializer that throws on demand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/input.hpp"
#include "softlib/serializer.hpp"

namespace tmm::fuzz {

// Grows with each event that may lose objects.
inline std::uint64_t losses = 1;

template <class T>
class Known {
public:
    void put(T value) {
        value_ = std::move(value);
        there_at_ = losses;
    }
    void drop() { value_.reset(); }
    [[nodiscard]] const std::optional<T>& value() const { return value_; }
    [[nodiscard]] bool may_be_gone() const { return !value_ || there_at_ < losses; }

    // After a call that never rebuilds.
    void check(const std::optional<T>& got) {
        TMM_REQUIRE(got ? got == value_ : may_be_gone());
        value_ = got;
        there_at_ = losses;
    }
    // After a read that would have made `rebuilt`.
    void check_read(const T& got, const T& rebuilt) {
        TMM_REQUIRE(value_ == got || (may_be_gone() && got == rebuilt));
        put(got);
    }

private:
    std::optional<T> value_;
    std::uint64_t there_at_ = 0;
};

struct Refused {};
// Calls of a serializer until one throws; 0: none does.
inline unsigned refuses_in = 0;

inline void may_refuse() {
    if (refuses_in > 0 && --refuses_in == 0)
        throw Refused();
}

struct Record {
    std::string name;
    std::vector<std::uint64_t> numbers;
    bool operator==(const Record&) const = default;
};

}  // namespace tmm::fuzz

template <>
struct soft::serializer<tmm::fuzz::Record> {
    static std::size_t size(const tmm::fuzz::Record& record) {
        tmm::fuzz::may_refuse();
        return sizeof(std::uint64_t) + 8 * record.numbers.size() + record.name.size();
    }
    static void save(const tmm::fuzz::Record& record, std::span<std::byte> to) {
        tmm::fuzz::may_refuse();
        const std::uint64_t nr_numbers = record.numbers.size();
        TMM_REQUIRE(to.size() == sizeof nr_numbers + 8 * nr_numbers + record.name.size());
        std::memcpy(to.data(), &nr_numbers, sizeof nr_numbers);
        std::copy_n(reinterpret_cast<const std::byte*>(record.numbers.data()), 8 * nr_numbers, to.data() + 8);
        std::copy_n(reinterpret_cast<const std::byte*>(record.name.data()), record.name.size(), to.data() + 8 + 8 * nr_numbers);
    }
    static tmm::fuzz::Record load(std::span<const std::byte> from) {
        tmm::fuzz::may_refuse();
        TMM_REQUIRE(reinterpret_cast<std::uintptr_t>(from.data()) % 16 == 0 && from.size() >= 8);
        std::uint64_t nr_numbers = 0;
        std::memcpy(&nr_numbers, from.data(), sizeof nr_numbers);
        TMM_REQUIRE(nr_numbers <= (from.size() - 8) / 8);
        tmm::fuzz::Record record;
        record.numbers.resize(nr_numbers);
        std::copy_n(from.data() + 8, 8 * nr_numbers, reinterpret_cast<std::byte*>(record.numbers.data()));
        for (const std::byte character : from.subspan(8 + 8 * nr_numbers))
            record.name.push_back(static_cast<char>(character));
        return record;
    }
};
