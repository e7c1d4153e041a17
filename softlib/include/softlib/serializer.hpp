// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace soft {

/// How objects of a type that are not trivially copyable become bytes and objects again. Specialise it for your own:
///
///     template <> struct soft::serializer<Tree> {
///         static std::size_t size(const Tree&);                         // bytes; less than 4 GiB
///         static void save(const Tree&, std::span<std::byte> to);      // to.size() == size()
///         static Tree load(std::span<const std::byte> from);
///     };
///
/// load() is given exactly what save() wrote, aligned to 16 bytes. Any of them may throw, and nothing is lost by it. They are
/// called by several threads at the same time, for different objects and for the same.
template <class T>
struct serializer;

/// std::string, std::vector and the like: a row of what is trivially copyable.
template <class T>
requires requires(T value, std::size_t n) {
    typename T::value_type;
    requires std::is_trivially_copyable_v<typename T::value_type>;
    { value.data() } -> std::same_as<typename T::value_type*>;
    { value.size() } -> std::convertible_to<std::size_t>;
    value.resize(n);
}
struct serializer<T> {
    /// Of the row.
    using value_type = typename T::value_type;
    /// Bytes of all values.
    static std::size_t size(const T& row) { return row.size() * sizeof(value_type); }
    /// Copies them.
    static void save(const T& row, std::span<std::byte> to) {
        if (!to.empty()) {
            std::memcpy(to.data(), row.data(), to.size());
        }
    }
    /// A row of as many values as there are bytes for. Throws std::bad_alloc.
    static T load(std::span<const std::byte> from) {
        T row;
        row.resize(from.size() / sizeof(value_type));
        if (!from.empty()) {
            std::memcpy(row.data(), from.data(), from.size());
        }
        return row;
    }
};

/// Bytes that mean the same wherever they are: put into soft memory as they are. A type with pointers to itself is none.
template <class T>
concept trivial = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_reference_v<T>;
/// What has a serializer. A type that owns something, like std::unique_ptr, needs one that saves what it owns.
template <class T>
concept serializable = requires(const T& value, std::span<std::byte> to, std::span<const std::byte> from) {
    { serializer<T>::size(value) } -> std::convertible_to<std::size_t>;
    serializer<T>::save(value, to);
    { serializer<T>::load(from) } -> std::same_as<T>;
};
/// What can be put into soft memory.
template <class T>
concept storable = (trivial<T> || serializable<T>)&&!std::is_const_v<T> && !std::is_volatile_v<T>;

}  // namespace soft
