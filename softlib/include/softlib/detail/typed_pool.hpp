// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The part of a pool that reads and writes entries as objects of its type. soft::pool hides it: programs have pointers.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "softlib/detail/content.hpp"
#include "softlib/detail/pool_base.hpp"
#include "softlib/detail/read_sampling.hpp"

namespace soft::detail {

template <class T, class... Arguments>
class TypedPool : public PoolBase {
public:
    using Reconstructor = std::function<T(const Arguments&...)>;

    TypedPool(soft::heap& heap, std::string_view name, Reconstructor rebuild)
        : PoolBase(heap, name, Content<T>::fixed_size), rebuild_(std::move(rebuild)) {}

    using PoolBase::new_entry;
    /// An entry with `value` as content, if there is room.
    AtomicWord* new_entry_with(const T& value) {
        return Content<T>::saved(value, [&](const void* object, std::size_t bytes) { return new_entry(object, bytes); });
    }

    /// As pointer::read().
    static T read(AtomicWord* entry, const Arguments&... arguments) {
        if constexpr (Content<T>::is_plain) {
            return read_plain(entry, arguments...);
        } else {
            if (wants_sample()) [[unlikely]] {
                return of(entry).read_sampled(entry, arguments...);
            }
            if (std::optional<T> value = Content<T>::read(entry)) [[likely]] {
                return *std::move(value);
            }
            return of(entry).rebuild(entry, arguments...);
        }
    }
    /// As pointer::try_get().
    static std::optional<T> try_get(AtomicWord* entry) {
        if (wants_sample()) [[unlikely]] {
            of(entry).sample_read(entry);
        }
        return Content<T>::read(entry);
    }
    /// As pointer::pin().
    static std::shared_ptr<const T> pin(AtomicWord* entry, const Arguments&... arguments) {
        std::shared_ptr<const T> value = pin_if_there(entry, arguments...);
        return value != nullptr ? value : std::make_shared<const T>(of(entry).rebuild(entry, arguments...));
    }
    /// As pointer::try_pin(), but a test may validate the object.
    static std::shared_ptr<const T> pin_if_there(AtomicWord* entry, const Arguments&... arguments) {
        const bool sampled = wants_sample();
        std::shared_ptr<const T> value = try_pin(entry, sampled);
        if (sampled && value != nullptr) [[unlikely]] {
            of(entry).validate_sampled(*value, arguments...);
        }
        return value;
    }
    /// As pointer::try_pin().
    static std::shared_ptr<const T> try_pin(AtomicWord* entry) { return try_pin(entry, wants_sample()); }
    /// The pool of an entry.
    static TypedPool& of(const AtomicWord* entry) { return *static_cast<TypedPool*>(Chunk::of(entry)->pool); }
    /// As pointer::write().
    bool write(AtomicWord* entry, const T& value) {
        return Content<T>::saved(value, [&](const void* object, std::size_t bytes) { return store(entry, object, bytes); });
    }
    /// As pointer::compare_exchange().
    bool compare_exchange(AtomicWord* entry, T& expected, const T& desired) requires std::equality_comparable<T> {
        for (;;) {
            const Word word = entry->load(std::memory_order_acquire);
            // Read by this word: if it were loaded again, the value could be of another one, and a cleared object come back.
            std::optional<T> value = Content<T>::read(entry, word);
            if (!value) {
                if (entry->load(std::memory_order_relaxed) != word) {
                    // Moved or written meanwhile.
                    continue;
                }
                return false;
            }
            if (!(*value == expected)) {
                expected = *std::move(value);
                return false;
            }
            if (Content<T>::saved(desired,
                                  [&](const void* object, std::size_t bytes) { return store_if(entry, word, object, bytes); })) {
                return true;
            }
        }
    }

private:
    static std::shared_ptr<const T> try_pin(AtomicWord* entry, bool sampled) {
        if (sampled) [[unlikely]] {
            of(entry).sample_read(entry);
        }
        return PoolBase::pin<T>(entry, Content<T>::read_shared);
    }

    /// Copies straight into the return value.
    static T read_plain(AtomicWord* entry, const Arguments&... arguments) {
        T value;
        if (wants_sample()) [[unlikely]] {
            value = of(entry).read_sampled(entry, arguments...);
        } else if (!PoolBase::read_fixed(entry, std::addressof(value), sizeof value)) [[unlikely]] {
            value = of(entry).rebuild(entry, arguments...);
        }
        return value;
    }

    [[gnu::noinline]] T read_sampled(AtomicWord* entry, const Arguments&... arguments) {
        sample_read(entry);
        std::optional<T> value = Content<T>::read(entry);
        if (!value) {
            return rebuild(entry, arguments...);
        }
        validate_sampled(*value, arguments...);
        return *std::move(value);
    }

    void validate_sampled(const T& value, const Arguments&... arguments) {
        if constexpr (Content<T>::is_comparable) {
            if (begins_validation()) {
                validate(value, arguments...);
            }
        }
    }

    void validate(const T& value, const Arguments&... arguments) {
        std::optional<bool> same;
        try {
            same = Content<T>::same(value, rebuild_(arguments...));
        } catch (...) {
            // The reader wants what is there, and has it.
        }
        end_validation(same);
    }

    [[gnu::noinline]] T rebuild(AtomicWord* entry, const Arguments&... arguments) {
        for (;;) {
            if (take_turn(entry) == Turn::try_again) {
                if (std::optional<T> value = Content<T>::read(entry)) {
                    return *std::move(value);
                }
                continue;
            }
            TurnGuard mine(*this, entry);
            const auto start = std::chrono::steady_clock::now();
            T value = rebuild_(arguments...);
            const auto took = std::chrono::steady_clock::now() - start;
            Content<T>::saved(value, [&](const void* object, std::size_t bytes) { mine.rebuilt(object, bytes, took); });
            // May copy, and throw; the turn has ended.
            return value;
        }
    }

    Reconstructor rebuild_;
};

/// An object as it is at one moment. The object may be dropped afterwards, and its entry used for another one: its copy stays in
/// place until the segment is used again, which the reader finds out. The pool must outlive it.
template <class T>
class Glimpse {
public:
    explicit Glimpse(AtomicWord* entry) noexcept : entry_(entry), word_(entry->load(std::memory_order_acquire)) {}
    /// Where its copy is, if there is one; to be prefetched next time.
    [[nodiscard]] const std::byte* place() const noexcept { return header_of(word_); }
    /// Returns the object of that moment, or nothing if its copy is gone or was moved. Throws what the serializer throws.
    std::optional<T> read() const { return Content<T>::read(entry_, word_); }
    /// The same, shared by all who pin it.
    std::shared_ptr<const T> pin() const { return PoolBase::pin<T>(entry_, word_, Content<T>::read_shared); }

private:
    AtomicWord* entry_;
    Word word_;
};

}  // namespace soft::detail
