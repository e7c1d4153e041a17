// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Quantity: holds a whole number of something as a type of its own, so that pages and bytes neither mix nor convert implicitly.
// It costs the same as a std::uint64_t and wraps around on overflow like one. A plain value; pure.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>

namespace tmm {

template <typename Tag>
class Quantity {
public:
    constexpr Quantity() = default;
    // count: not negative. Fractions do not convert: round them first.
    constexpr explicit Quantity(std::integral auto count) : count_(static_cast<std::uint64_t>(count)) {}

    [[nodiscard]] constexpr std::uint64_t count() const { return count_; }
    [[nodiscard]] constexpr double as_double() const { return static_cast<double>(count_); }

    constexpr bool operator==(const Quantity&) const = default;
    constexpr std::strong_ordering operator<=>(const Quantity& other) const { return count_ <=> other.count_; }

    constexpr Quantity& operator+=(Quantity other) {
        count_ += other.count_;
        return *this;
    }
    // other: at most this value; see saturating_sub() otherwise.
    constexpr Quantity& operator-=(Quantity other) {
        count_ -= other.count_;
        return *this;
    }

    friend constexpr Quantity operator+(Quantity left, Quantity right) { return left += right; }
    friend constexpr Quantity operator-(Quantity left, Quantity right) { return left -= right; }
    friend constexpr Quantity operator*(Quantity quantity, std::integral auto times) { return Quantity(quantity.count_ * times); }
    friend constexpr Quantity operator*(std::integral auto times, Quantity quantity) { return quantity * times; }
    // Returns the quotient, rounded down. parts: not 0.
    friend constexpr Quantity operator/(Quantity quantity, std::integral auto parts) { return Quantity(quantity.count_ / parts); }

    // Returns left - right, or 0 if right is larger.
    friend constexpr Quantity saturating_sub(Quantity left, Quantity right) { return left > right ? left - right : Quantity(); }
    // Returns part / whole. whole: not 0.
    friend constexpr double ratio(Quantity part, Quantity whole) { return part.as_double() / whole.as_double(); }

    // For the messages of failed tests.
    template <typename Char, typename Traits>
    friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, Quantity quantity) {
        return out << quantity.count_;
    }

private:
    std::uint64_t count_ = 0;
};

using Bytes = Quantity<struct BytesTag>;

}  // namespace tmm
