// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "softlib/detail/content.hpp"
#include "softlib/detail/read_sampling.hpp"
#include "softlib/pool_base.hpp"
#include "softlib/serializer.hpp"

namespace soft {

template <storable T, class... Arguments>
class unique_ptr;
template <storable T, class... Arguments>
class shared_ptr;
template <storable T, class... Arguments>
class weak_ptr;

/// Objects of a type that may vanish, and the way to get one back: a reconstructor that makes it anew from arguments.
///
/// Thread-safe, and the reconstructor is called without any lock held, once for an object however many threads miss it at the
/// same time. What it throws reaches the thread that called it; the others try for themselves. Has to outlive its pointers.
///
/// Objects take soft memory. Ordinary memory is taken for handles, 8 to 12 bytes an object, and by what copies and serializers
/// need: std::bad_alloc is for these.
template <storable T, class... Arguments>
class pool : public pool_base {
    static_assert(detail::Content<T>::fixed_size <= max_object_bytes, "no object of soft memory is larger than 4 GiB");

public:
    /// What its objects are.
    using value_type = T;
    /// Called by whichever thread reads, by several at a time for different objects.
    using reconstructor = std::function<T(const Arguments&...)>;

    /// rebuild: makes the object that these arguments stand for. It may use other soft objects, but not the one that it makes.
    /// Throws std::bad_alloc.
    pool(soft::heap& heap, std::string_view name, reconstructor rebuild)
        : pool_base(heap, name, detail::Content<T>::fixed_size), rebuild_(std::move(rebuild)) {}
    /// In the process's own heap.
    pool(std::string_view name, reconstructor rebuild) : pool(heap::process(), name, std::move(rebuild)) {}

    /// An object that will be rebuilt when it is read for the first time. Throws std::bad_alloc.
    unique_ptr<T, Arguments...> make() { return unique_ptr<T, Arguments...>(*this, new_entry()); }
    /// An object that is there, if there is room. Throws std::bad_alloc, and what the serializer throws.
    unique_ptr<T, Arguments...> make(const T& value) { return unique_ptr<T, Arguments...>(*this, entry_with(value)); }
    /// As make().
    shared_ptr<T, Arguments...> make_shared() { return shared_ptr<T, Arguments...>(*this, new_entry()); }
    /// As make(value).
    shared_ptr<T, Arguments...> make_shared(const T& value) { return shared_ptr<T, Arguments...>(*this, entry_with(value)); }

    // What the pointers do, for containers that keep entries themselves.

    /// As pointer::read().
    static T read(detail::AtomicWord* entry, const Arguments&... arguments) {
        if constexpr (detail::Content<T>::is_plain) {
            return read_plain(entry, arguments...);
        } else {
            if (detail::wants_sample()) [[unlikely]] {
                return of(entry).read_sampled(entry, arguments...);
            }
            if (std::optional<T> value = detail::Content<T>::read(entry)) [[likely]] {
                return *std::move(value);
            }
            return of(entry).rebuild(entry, arguments...);
        }
    }
    /// As pointer::try_get().
    static std::optional<T> try_get(detail::AtomicWord* entry) {
        if (detail::wants_sample()) [[unlikely]] {
            of(entry).sample_read(entry);
        }
        return detail::Content<T>::read(entry);
    }
    /// Where an entry belongs.
    static pool& of(const detail::AtomicWord* entry) { return *static_cast<pool*>(detail::Chunk::of(entry)->pool); }
    /// As pointer::write().
    void write(detail::AtomicWord* entry, const T& value) {
        detail::Content<T>::saved(value, [&](const void* object, std::size_t bytes) { store(entry, object, bytes); });
    }
    /// As pointer::compare_exchange().
    bool compare_exchange(detail::AtomicWord* entry, T& expected, const T& desired) requires std::equality_comparable<T> {
        for (;;) {
            const detail::Word word = entry->load(std::memory_order_acquire);
            std::optional<T> value = detail::Content<T>::read(entry);
            if (!value) {
                return false;
            }
            if (!(*value == expected)) {
                expected = *std::move(value);
                return false;
            }
            if (detail::Content<T>::saved(
                    desired, [&](const void* object, std::size_t bytes) { return store_if(entry, word, object, bytes); })) {
                return true;
            }
        }
    }

private:
    detail::AtomicWord* entry_with(const T& value) {
        return detail::Content<T>::saved(value, [&](const void* object, std::size_t bytes) { return new_entry(object, bytes); });
    }

    /// Straight into what the caller gets.
    static T read_plain(detail::AtomicWord* entry, const Arguments&... arguments) {
        T value;
        if (detail::wants_sample()) [[unlikely]] {
            value = of(entry).read_sampled(entry, arguments...);
        } else if (!pool_base::read_fixed(entry, std::addressof(value), sizeof value)) [[unlikely]] {
            value = of(entry).rebuild(entry, arguments...);
        }
        return value;
    }

    [[gnu::noinline]] T read_sampled(detail::AtomicWord* entry, const Arguments&... arguments) {
        sample_read(entry);
        std::optional<T> value = detail::Content<T>::read(entry);
        if (!value) {
            return rebuild(entry, arguments...);
        }
        if constexpr (detail::Content<T>::is_comparable) {
            if (begins_validation()) {
                validate(*value, arguments...);
            }
        }
        return *std::move(value);
    }

    void validate(const T& value, const Arguments&... arguments) {
        std::optional<bool> same;
        try {
            same = detail::Content<T>::same(value, rebuild_(arguments...));
        } catch (...) {
            // The reader wants what is there, and has it.
        }
        end_validation(same);
    }

    [[gnu::noinline]] T rebuild(detail::AtomicWord* entry, const Arguments&... arguments) {
        for (;;) {
            if (take_turn(entry) == turn::try_again) {
                if (std::optional<T> value = detail::Content<T>::read(entry)) {
                    return *std::move(value);
                }
                continue;
            }
            try {
                const auto start = std::chrono::steady_clock::now();
                T value = rebuild_(arguments...);
                const auto took = std::chrono::steady_clock::now() - start;
                detail::Content<T>::saved(value,
                                          [&](const void* object, std::size_t bytes) { rebuilt(entry, object, bytes, took); });
                return value;
            } catch (...) {
                not_rebuilt(entry);
                throw;
            }
        }
    }

    reconstructor rebuild_;
};

namespace detail {

/// What soft pointers of both kinds do with the object that they point to. As large as a raw pointer.
///
/// All functions are thread-safe. They copy; a type with a serializer takes ordinary memory for it (std::bad_alloc), and may
/// throw what its serializer throws. Another type takes none.
template <storable T, class... Arguments>
class pointer {
public:
    /// Where the object belongs.
    using pool_type = pool<T, Arguments...>;

    /// Whether it points to an object at all, be it there or gone.
    explicit operator bool() const noexcept { return entry_ != nullptr; }
    /// Undefined for an empty pointer, as is all below.
    [[nodiscard]] pool_type& get_pool() const { return pool_type::of(entry_); }

    /// A copy of the object, which is rebuilt from the arguments if it is gone: waits if another thread does that just now.
    /// Throws what the reconstructor throws, and recursive_rebuild in a reconstructor of the same object.
    T read(const Arguments&... arguments) const { return pool_type::read(entry_, arguments...); }
    /// A copy of the object, if there is one. Never calls the reconstructor.
    std::optional<T> try_get() const { return pool_type::try_get(entry_); }
    /// Whether there is an object now. It may be gone a moment later: to have it use try_get().
    [[nodiscard]] bool is_there() const { return get_pool().holds(entry_); }
    /// Calls use(const T&) with a copy of the object, which is rebuilt if it is gone; returns what `use` does. Throws what read()
    /// and `use` throw.
    template <std::invocable<const T&> Use>
    decltype(auto) with(Use&& use, const Arguments&... arguments) const {
        const T value = read(arguments...);
        return std::forward<Use>(use)(value);
    }
    /// Makes `value` the object. Whether it is kept is for the heap to say: there may be no memory.
    void write(const T& value) const { get_pool().write(entry_, value); }
    /// Makes `desired` the object if it is there and equals `expected`. Otherwise returns false; `expected` is then what is
    /// there, and stays as it is if nothing is.
    bool compare_exchange(T& expected, const T& desired) const requires std::equality_comparable<T> {
        return get_pool().compare_exchange(entry_, expected, desired);
    }
    /// Drops the content; the next read() rebuilds it.
    void clear() const { get_pool().clear(entry_); }
    /// What the object is now owns `other` from now on: when the object is lost, rebuilt, written or dropped, so is the last
    /// pointer to `other`, unless somebody else has one. Of what the kernel takes that is found out by reading it or when its
    /// memory is used again. The object itself may hold a weak_ptr to it. Objects that own each other in a circle stay until one
    /// of them is lost.
    ///
    /// The other's pool has to outlive this one's. Costs ordinary memory, about 100 bytes; std::bad_alloc.
    template <storable Other, class... Others>
    void own(shared_ptr<Other, Others...> other) const {
        get_pool().own(entry_, other.release());
    }

protected:
    /// Empty.
    pointer() noexcept = default;
    /// To the object of the entry.
    explicit pointer(AtomicWord* entry) noexcept : entry_(entry) {}
    ~pointer() = default;

    /// Of the object; nullptr: none.
    AtomicWord* entry_ = nullptr;
};

}  // namespace detail

/// Owns a soft object. Moves like std::unique_ptr. Reading and writing through it is thread-safe; moving and destroying it is
/// not.
template <storable T, class... Arguments>
class unique_ptr : public detail::pointer<T, Arguments...> {
public:
    /// Empty.
    unique_ptr() noexcept = default;
    /// For the pool: owns the entry.
    unique_ptr(pool<T, Arguments...>& /*owner*/, detail::AtomicWord* entry) noexcept : detail::pointer<T, Arguments...>(entry) {}
    /// Leaves the other one empty.
    unique_ptr(unique_ptr&& other) noexcept : detail::pointer<T, Arguments...>(std::exchange(other.entry_, nullptr)) {}
    /// What it owned is dropped with the other one.
    unique_ptr& operator=(unique_ptr&& other) noexcept {
        std::swap(this->entry_, other.entry_);
        return *this;
    }
    ~unique_ptr() { reset(); }

    /// Drops the object, and is empty then.
    void reset() noexcept {
        if (this->entry_ != nullptr) {
            this->get_pool().free_entry(std::exchange(this->entry_, nullptr));
        }
    }
};

/// Shares a soft object, as std::shared_ptr does: the last one drops it. Different pointers to one object may be used by
/// different threads in any way; one pointer as above.
template <storable T, class... Arguments>
class shared_ptr : public detail::pointer<T, Arguments...> {
public:
    /// Empty.
    shared_ptr() noexcept = default;
    /// For the pool: the first one of the entry.
    shared_ptr(pool<T, Arguments...>& /*owner*/, detail::AtomicWord* entry) noexcept : detail::pointer<T, Arguments...>(entry) {
        detail::count_of(entry).store(1, std::memory_order_release);
    }
    /// One more; allocates nothing.
    shared_ptr(const shared_ptr& other) noexcept : detail::pointer<T, Arguments...>(other.entry_) {
        if (this->entry_ != nullptr) {
            detail::count_of(this->entry_).fetch_add(1, std::memory_order_relaxed);
        }
    }
    /// Leaves the other one empty.
    shared_ptr(shared_ptr&& other) noexcept : detail::pointer<T, Arguments...>(std::exchange(other.entry_, nullptr)) {}
    /// Lets go of what it had.
    shared_ptr& operator=(shared_ptr other) noexcept {
        std::swap(this->entry_, other.entry_);
        return *this;
    }
    ~shared_ptr() { reset(); }

    /// Lets go of the object, and is empty then.
    void reset() noexcept {
        if (detail::AtomicWord* entry = std::exchange(this->entry_, nullptr)) {
            pool_base::drop_reference(entry);
        }
    }
    /// The entry with a reference to it, which the caller has from now on. Empty then.
    [[nodiscard]] detail::AtomicWord* release() noexcept { return std::exchange(this->entry_, nullptr); }
    /// How many there are to the object; may be another number a moment later. 0 for an empty one.
    [[nodiscard]] std::uint32_t use_count() const noexcept {
        return this->entry_ != nullptr ? detail::count_of(this->entry_).load(std::memory_order_relaxed) : 0;
    }

private:
    friend class weak_ptr<T, Arguments...>;
    explicit shared_ptr(detail::AtomicWord* entry) noexcept : detail::pointer<T, Arguments...>(entry) {}
};

/// Knows a shared object without keeping it. Trivially copyable, so that objects in soft memory can tell which others belong to
/// them. Copies of it may be used by different threads in any way. Valid as long as the object's pool.
template <storable T, class... Arguments>
class weak_ptr {
public:
    /// Knows none.
    weak_ptr() noexcept = default;
    /// Knows what `shared` points to.
    explicit weak_ptr(const shared_ptr<T, Arguments...>& shared) noexcept
        : entry_(shared.entry_),
          generation_(entry_ != nullptr ? detail::generation_of(entry_).load(std::memory_order_relaxed) : 0) {}

    /// A pointer to the object; an empty one if nobody shares it any more.
    [[nodiscard]] shared_ptr<T, Arguments...> lock() const noexcept {
        return shared_ptr<T, Arguments...>(entry_ != nullptr && pool_base::take_reference(entry_, generation_) ? entry_
                                                                                                               : nullptr);
    }

private:
    detail::AtomicWord* entry_ = nullptr;
    std::uint32_t generation_ = 0;
};

/// For reconstructors: the object that this thread is rebuilding will own `other`, as with pointer::own(). std::logic_error
/// outside of a reconstructor, std::bad_alloc.
template <storable T, class... Arguments>
void own(shared_ptr<T, Arguments...> other) {
    pool_base::own_in_rebuild(other.release());
}

}  // namespace soft
