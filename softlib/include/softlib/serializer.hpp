// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "softlib/detail/language.hpp"

namespace soft {

namespace detail {

/// Types whose bytes mean something only as long as something else lives: pointers, references, views, iterators, and containers
/// of these that are trivially copyable.
template <class T>
constexpr bool refers_elsewhere() {
    if constexpr (std::is_array_v<T>) {
        return refers_elsewhere<std::remove_all_extents_t<T>>();
    } else if constexpr (std::is_pointer_v<T> || std::is_reference_v<T> || std::is_null_pointer_v<T>) {
        return true;
    } else if constexpr (std::ranges::range<T> && std::ranges::borrowed_range<T>) {
        // std::string_view, std::span
        return true;
    } else if constexpr (std::input_or_output_iterator<T>) {
        return true;
    } else if constexpr (requires {
                             typename T::type;
                             requires std::same_as<T, std::reference_wrapper<typename T::type>>;
                         }) {
        return true;
    } else if constexpr (requires { typename T::value_type; }) {
        // std::array, std::optional
        return refers_elsewhere<typename T::value_type>();
    } else {
        return false;
    }
}

/// The base of the serializer of rows, whose values may also be copied without it.
struct RowSerializer {};

}  // namespace detail

/// Types whose bytes are stored as they are: the bytes mean the same at any address and at any time. Pointers, views, iterators
/// and arrays of these do not qualify; nor does a type with such a member, though the compiler cannot check that.
template <class T>
concept trivial = std::is_trivially_copyable_v<T> && !detail::refers_elsewhere<T>();

/// Converts objects that are not trivially copyable to bytes and back. Specialise it for your own types:
///
///     template <> struct soft::serializer<Tree> {
///         static std::size_t size(const Tree&);                         // bytes; less than 4 GiB
///         static void save(const Tree&, std::span<std::byte> to);      // to.size() == size()
///         static Tree load(std::span<const std::byte> from);
///     };
///
/// load() gets exactly the bytes that save() wrote, aligned to 16 bytes. Each function may throw; no object is lost by that.
/// Several threads call them at the same time, for different objects and for the same one.
template <class T>
struct serializer;

/// The serializer of std::string, std::vector and the like: rows of trivially copyable values.
template <class T>
requires requires(T value, std::size_t n) {
    typename T::value_type;
    requires trivial<typename T::value_type>;
    { value.data() } -> std::same_as<typename T::value_type*>;
    { value.size() } -> std::convertible_to<std::size_t>;
    value.resize(n);
}
struct serializer<T> : detail::RowSerializer {
    /// The type of a value in the row.
    using value_type = typename T::value_type;
    /// Size of all values, in bytes.
    static std::size_t size(const T& row) { return row.size() * sizeof(value_type); }
    /// Copies the values to `to`.
    static void save(const T& row, std::span<std::byte> to) {
        if (!to.empty()) {
            std::memcpy(to.data(), row.data(), to.size());
        }
    }
    /// Returns a row of the values in `from`. Throws std::bad_alloc.
    static T load(std::span<const std::byte> from) {
        T row;
        row.resize(from.size() / sizeof(value_type));
        if (!from.empty()) {
            std::memcpy(row.data(), from.data(), from.size());
        }
        return row;
    }
};

/// Types with a serializer. A type that owns something, like std::unique_ptr, needs one that saves what it owns.
template <class T>
concept serializable = requires(const T& value, std::span<std::byte> to, std::span<const std::byte> from) {
    { serializer<T>::size(value) } -> std::convertible_to<std::size_t>;
    serializer<T>::save(value, to);
    { serializer<T>::load(from) } -> std::same_as<T>;
};
/// Types that can be put into soft memory. Pools and containers of other types do not compile.
template <class T>
concept storable = (trivial<T> || serializable<T>)&&!std::is_const_v<T> && !std::is_volatile_v<T>;

}  // namespace soft
