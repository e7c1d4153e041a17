// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Converts objects of a type to the bytes of an entry and back.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "softlib/detail/pool_base.hpp"
#include "softlib/serializer.hpp"

namespace soft::detail {

/// Memory for the bytes of a serializer; on the stack if there are few.
class Scratch {
public:
    std::byte* take(std::size_t bytes) {
        size_ = bytes;
        if (bytes <= sizeof small_) {
            return small_;
        }
        large_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
        return large_.get();
    }
    [[nodiscard]] std::span<std::byte> bytes() { return {large_ ? large_.get() : small_, size_}; }

private:
    alignas(16) std::byte small_[512];
    std::unique_ptr<std::byte[]> large_;
    std::size_t size_ = 0;
};

/// Lets PoolBase::read_sized() put content straight into a std::string, std::vector and the like, page by page.
template <class T>
class IntoRow {
    using Value = typename T::value_type;
#if defined(SOFTLIB_THREAD_SANITIZER)
    // It watches the copy.
    static constexpr bool appends = false;
#else
    // Values of several bytes may continue in the next page.
    static constexpr bool appends = sizeof(Value) == 1 && requires(T row, const Value* from) {
        row.insert(row.end(), from, from);
    };
#endif

public:
    explicit IntoRow(T& row) : row_(row) {}
    void begin(std::size_t bytes) {
        row_.resize(0);
        filled_ = 0;
        if constexpr (requires { row_.reserve(bytes); }) {
            row_.reserve(bytes / sizeof(Value));
        }
    }
    void copy(const std::byte* from, std::size_t bytes) {
        if constexpr (appends) {
            const auto* values = reinterpret_cast<const Value*>(from);
            row_.insert(row_.end(), values, values + bytes);
        } else {
            const std::size_t at = std::exchange(filled_, filled_ + bytes);
            // Writes the values before they are copied to, a page at a time: it stays in the processor's cache.
            row_.resize((filled_ + sizeof(Value) - 1) / sizeof(Value));
            copy_unsure(reinterpret_cast<std::byte*>(row_.data()) + at, from, bytes);
        }
    }

private:
    T& row_;
    std::size_t filled_ = 0;
};

/// Whether operator== compiles. Containers declare it even if their elements have none, so this asks the elements too.
template <class T>
constexpr bool comparable() {
    if constexpr (requires { typename T::value_type; }) {
        return comparable<typename T::value_type>() && std::equality_comparable<T>;
    } else {
        return std::equality_comparable<T>;
    }
}

/// Reads and writes content of entries as objects of type T.
template <class T>
struct Content {
    static constexpr std::size_t fixed_size = trivial<T> ? sizeof(T) : 0;
    /// Whether an object can be made first and get its bytes afterwards.
    static constexpr bool is_plain = trivial<T> && std::is_trivially_default_constructible_v<T> && std::is_move_assignable_v<T>;

    /// Reads the content; with a `word` that the caller has loaded from the entry, the copy that it names.
    template <std::same_as<Word>... OneWord>
    static std::optional<T> read(AtomicWord* entry, OneWord... word) {
        if constexpr (trivial<T>) {
            std::array<std::byte, sizeof(T)> bytes;
            if (PoolBase::read_fixed(entry, word..., bytes.data(), sizeof(T))) [[likely]] {
                return std::bit_cast<T>(bytes);
            }
            return std::nullopt;
        } else if constexpr (!serializable<T>) {
            // pool refuses such a type with one message; errors from here would hide it.
            return std::nullopt;
        } else if constexpr (std::is_base_of_v<RowSerializer, serializer<T>>) {
            std::optional<T> row(std::in_place);
            IntoRow<T> into(*row);
            if (!PoolBase::read_sized(entry, word..., into)) {
                row.reset();
            }
            return row;
        } else {
            Scratch scratch;
            InOnePiece into([&](std::size_t bytes) { return scratch.take(bytes); });
            if (!PoolBase::read_sized(entry, word..., into)) {
                return std::nullopt;
            }
            return serializer<T>::load(scratch.bytes());
        }
    }

    /// The same, to be shared, and its size in `bytes`.
    static std::shared_ptr<const T> read_shared(AtomicWord* entry, Word word, std::size_t& bytes) {
        std::optional<T> value = read(entry, word);
        if (!value) {
            return nullptr;
        }
        bytes = size(*value);
        return std::make_shared<const T>(*std::move(value));
    }

    /// Bytes of the value as it is stored.
    static std::size_t size(const T& value) {
        if constexpr (trivial<T>) {
            return sizeof(T);
        } else {
            return serializer<T>::size(value);
        }
    }

    static constexpr bool is_comparable = comparable<T>() || !trivial<T> || std::has_unique_object_representations_v<T>;
    /// Compares by operator== if there is one, otherwise by stored bytes.
    static bool same(const T& one, const T& other) {
        if constexpr (comparable<T>()) {
            return one == other;
        } else {
            return saved(one, [&](const void* first, std::size_t bytes) {
                return saved(other, [&](const void* second, std::size_t other_bytes) {
                    return bytes == other_bytes && std::memcmp(first, second, bytes) == 0;
                });
            });
        }
    }

    /// Calls use(address, bytes) with the stored bytes of the value.
    template <class Use>
    static auto saved(const T& value, Use&& use) {
        if constexpr (trivial<T> || !serializable<T>) {
            return std::forward<Use>(use)(static_cast<const void*>(std::addressof(value)), sizeof(T));
        } else if constexpr (std::is_base_of_v<RowSerializer, serializer<T>>) {
            // Its values are in one piece already. An empty row may have no address.
            const std::size_t bytes = serializer<T>::size(value);
            return std::forward<Use>(use)(bytes > 0 ? static_cast<const void*>(value.data()) : std::addressof(value), bytes);
        } else {
            Scratch scratch;
            scratch.take(serializer<T>::size(value));
            serializer<T>::save(value, scratch.bytes());
            return std::forward<Use>(use)(static_cast<const void*>(scratch.bytes().data()), scratch.bytes().size());
        }
    }
};

}  // namespace soft::detail
