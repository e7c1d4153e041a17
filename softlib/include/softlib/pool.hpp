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
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "softlib/detail/typed_pool.hpp"
#include "softlib/heap.hpp"
#include "softlib/pool_statistics.hpp"
#include "softlib/serializer.hpp"

namespace soft {

template <class T, class... Arguments>
class unique_ptr;
template <class T, class... Arguments>
class shared_ptr;
template <class T, class... Arguments>
class weak_ptr;

template <class Key, class Value, class Hash, class Equal>
class cache;
class key_watch;
namespace detail {
template <class T, class... Arguments>
class pointer;
}

/// Thrown if a reconstructor reads the object that it reconstructs, or needs an object that another thread reconstructs and that
/// needs this one.
class recursive_rebuild : public std::logic_error {
public:
    /// May throw std::bad_alloc.
    recursive_rebuild() : std::logic_error("softlib: a reconstructor needs the object that it reconstructs") {}
};

/// A pool of objects of one type that may vanish. Its reconstructor makes an object anew from arguments.
///
/// Thread-safe. The reconstructor is called without any lock held, once for an object however many threads miss it at the same
/// time. Its exception reaches the thread that called it; the others try on their own. A pool must outlive its pointers.
///
/// Objects are in soft memory. Handles take ordinary memory, 8 to 12 bytes an object, and so do copies and serializers; where
/// that memory is short, functions throw std::bad_alloc.
template <class T, class... Arguments>
class pool : private detail::TypedPool<T, Arguments...> {
    using Typed = detail::TypedPool<T, Arguments...>;
    // Not a constraint of the template: the compiler would say that, and twenty lines more, but not what to do.
    static_assert(storable<T>,
                  "soft memory holds trivially copyable types without pointers; for others specialise soft::serializer");
    static_assert(detail::Content<T>::fixed_size <= max_object_bytes, "no object of soft memory is larger than 4 GiB");

public:
    /// The type of an object.
    using value_type = T;
    /// Makes an object. The reading thread calls it; several threads may, for different objects.
    using reconstructor = typename Typed::Reconstructor;

    /// `heap`: where the objects are. `name`: for people, in softlib-top and messages. `rebuild`: makes the object that its
    /// arguments stand for. It may use other soft objects, but not the one that it makes.
    ///
    /// Throws std::bad_alloc.
    pool(soft::heap& heap, std::string_view name, reconstructor rebuild) : Typed(heap, name, std::move(rebuild)) {}
    /// A pool in the process's own heap.
    pool(std::string_view name, reconstructor rebuild) : pool(heap::process(), name, std::move(rebuild)) {}

    /// The heap of the objects.
    using Typed::get_heap;
    /// The name, for people.
    using Typed::name;
    /// Returns the statistics. Throws nothing, and is cheap.
    using Typed::statistics;

    /// Ordinary memory for values that pin() shares, in bytes as they are stored; 16 MiB unless this is called. What the program
    /// holds beyond that is the program's own. Throws nothing.
    using Typed::set_pinned_limit;

    /// Makes an object without content; its first read builds it. Throws std::bad_alloc.
    unique_ptr<T, Arguments...> make() { return unique_ptr<T, Arguments...>(*this, this->new_entry()); }
    /// Makes an object with `value` as content, if there is room. Throws std::bad_alloc, and what the serializer throws.
    unique_ptr<T, Arguments...> make(const T& value) { return unique_ptr<T, Arguments...>(*this, this->new_entry_with(value)); }
    /// As make().
    shared_ptr<T, Arguments...> make_shared() { return shared_ptr<T, Arguments...>(*this, this->new_entry()); }
    /// As make(value).
    shared_ptr<T, Arguments...> make_shared(const T& value) {
        return shared_ptr<T, Arguments...>(*this, this->new_entry_with(value));
    }

private:
    // get_pool()
    friend class detail::pointer<T, Arguments...>;
    // feed_reuse_watch()
    template <class Key, class Value, class Hash, class Equal>
    friend class cache;
    friend class key_watch;
};

namespace detail {

/// The functions of both kinds of pointers to soft objects. As large as a raw pointer.
///
/// All functions are thread-safe. They copy: a type with a serializer takes ordinary memory for that (std::bad_alloc), and may
/// throw what its serializer throws. Other types take none.
template <class T, class... Arguments>
class pointer {
    using Typed = TypedPool<T, Arguments...>;
    template <class Key, class Value, class Hash, class Equal>
    friend class soft::cache;

public:
    /// The type of the object's pool.
    using pool_type = pool<T, Arguments...>;

    /// Whether it points to an object, there or gone.
    explicit operator bool() const noexcept { return entry_ != nullptr; }
    /// The pool of the object. This and all functions below are undefined for an empty pointer.
    [[nodiscard]] pool_type& get_pool() const { return static_cast<pool_type&>(Typed::of(entry_)); }

    /// Returns a copy of the object. If it is gone, rebuilds it from the arguments, or waits for another thread that does. Throws
    /// what the reconstructor throws, and recursive_rebuild in a reconstructor that the object needs.
    T read(const Arguments&... arguments) const { return Typed::read(entry_, arguments...); }
    /// Returns a copy of the object, or nothing if it is gone. Never calls the reconstructor.
    std::optional<T> try_get() const { return Typed::try_get(entry_); }
    /// Whether the object is there now. It may be gone a moment later: use try_get() to have it.
    [[nodiscard]] bool is_there() const { return Typed::of(entry_).holds(entry_); }
    /// False if the heap has given the object's memory back, or nobody has stored it: then it is gone. Otherwise it may be there,
    /// unless the kernel took it. Reads no soft memory, unlike is_there(): for looking through many objects after release().
    [[nodiscard]] bool may_be_there() const noexcept {
        const detail::Word word = entry_->load(std::memory_order_acquire);
        return detail::has_place(word) ? detail::is_current(word) : detail::is_building(word);
    }
    /// Calls use(const T&) with a copy of the object, rebuilt if it is gone, and returns its result. Throws what read() and `use`
    /// throw.
    template <std::invocable<const T&> Use>
    decltype(auto) with(Use&& use, const Arguments&... arguments) const {
        const T value = read(arguments...);
        return std::forward<Use>(use)(value);
    }
    /// Returns the object without a copy of its own: all who pin it share one, and it stays while anybody holds it, whatever
    /// becomes of the object and its pool. The values that were pinned last stay in ordinary memory
    /// (pool::set_pinned_limit()), and the next pin() costs no copy. Those that nobody holds go when the heap gives memory back.
    /// Otherwise as read(). Pays for values that take long to copy or to load; see the guide.
    std::shared_ptr<const T> pin(const Arguments&... arguments) const { return Typed::pin(entry_, arguments...); }
    /// The same if the object is there; otherwise returns nothing. Never calls the reconstructor.
    std::shared_ptr<const T> try_pin() const { return Typed::try_pin(entry_); }
    /// Makes `value` the object. Returns false without room; then the object is lost. Even after true it may be gone a
    /// moment later.
    bool write(const T& value) const { return Typed::of(entry_).write(entry_, value); }
    /// Makes `desired` the object and returns true if the object is there and equals `expected`. Otherwise returns false and sets
    /// `expected` to the object, if it is there.
    bool compare_exchange(T& expected, const T& desired) const requires std::equality_comparable<T> {
        return Typed::of(entry_).compare_exchange(entry_, expected, desired);
    }
    /// Makes a heap with heap_options::probation keep the object as if it had been read twice: for one that is known to be worth
    /// it, say because it is wanted again soon after it was evicted.
    void vouch() const noexcept { detail::PoolBase::note_uses(entry_); }
    /// Drops the content; the next read() rebuilds it.
    void clear() const { Typed::of(entry_).clear(entry_); }
    /// The present content owns `other` from now on. When the content is lost, rebuilt, written or dropped, its pointer to
    /// `other` goes; without other pointers, `other` goes too. If the kernel takes the content, this happens when somebody reads
    /// it or its memory is used again.
    ///
    /// The object may hold a weak_ptr to `other`. Objects that own each other in a circle stay until one of them is lost. The
    /// other's pool must outlive this one's.
    ///
    /// Takes about 100 bytes of ordinary memory; throws std::bad_alloc.
    template <class Other, class... Others>
    void own(shared_ptr<Other, Others...> other) const {
        Typed::of(entry_).own(entry_, other.release());
    }

protected:
    /// Empty.
    pointer() noexcept = default;
    /// Points to the object of the entry.
    explicit pointer(AtomicWord* entry) noexcept : entry_(entry) {}
    ~pointer() = default;

    /// As Glimpse, of the object.
    [[nodiscard]] Glimpse<T> glimpse() const noexcept { return Glimpse<T>(entry_); }

    /// The entry of the object; nullptr: none.
    AtomicWord* entry_ = nullptr;
};

}  // namespace detail

/// Owns a soft object; moves like std::unique_ptr. Reading and writing through it are thread-safe; moving and destroying it are
/// not.
template <class T, class... Arguments>
class unique_ptr : public detail::pointer<T, Arguments...> {
public:
    /// Empty.
    unique_ptr() noexcept = default;
    /// For the pool: owns the entry.
    unique_ptr(pool<T, Arguments...>& /*owner*/, detail::AtomicWord* entry) noexcept : detail::pointer<T, Arguments...>(entry) {}
    /// Leaves the other one empty.
    unique_ptr(unique_ptr&& other) noexcept : detail::pointer<T, Arguments...>(std::exchange(other.entry_, nullptr)) {}
    /// Drops what this one owned and leaves the other one empty.
    unique_ptr& operator=(unique_ptr&& other) noexcept {
        if (this != &other) {
            reset();
            this->entry_ = std::exchange(other.entry_, nullptr);
        }
        return *this;
    }
    ~unique_ptr() { reset(); }

    /// Drops the object and leaves the pointer empty.
    void reset() noexcept {
        if (this->entry_ != nullptr) {
            detail::Chunk::of(this->entry_)->pool->free_entry(std::exchange(this->entry_, nullptr));
        }
    }
    /// Returns the entry, which the caller gives to another unique_ptr of the same pool. Leaves the pointer empty.
    [[nodiscard]] detail::AtomicWord* release() noexcept { return std::exchange(this->entry_, nullptr); }
};

/// Shares a soft object like std::shared_ptr: the last pointer drops it. Different threads may use different pointers to one
/// object in any way. A single pointer is as thread-safe as a unique_ptr.
template <class T, class... Arguments>
class shared_ptr : public detail::pointer<T, Arguments...> {
public:
    /// Empty.
    shared_ptr() noexcept = default;
    /// For the pool: the first pointer to the entry.
    shared_ptr(pool<T, Arguments...>& /*owner*/, detail::AtomicWord* entry) noexcept : detail::pointer<T, Arguments...>(entry) {
        detail::count_of(entry).store(1, std::memory_order_release);
    }
    /// Another pointer to the object. Allocates nothing.
    shared_ptr(const shared_ptr& other) noexcept : detail::pointer<T, Arguments...>(other.entry_) {
        if (this->entry_ != nullptr) {
            detail::count_of(this->entry_).fetch_add(1, std::memory_order_relaxed);
        }
    }
    /// Leaves the other one empty.
    shared_ptr(shared_ptr&& other) noexcept : detail::pointer<T, Arguments...>(std::exchange(other.entry_, nullptr)) {}
    /// Releases the former object.
    shared_ptr& operator=(shared_ptr other) noexcept {
        std::swap(this->entry_, other.entry_);
        return *this;
    }
    ~shared_ptr() { reset(); }

    /// Releases the object and leaves the pointer empty.
    void reset() noexcept {
        if (detail::AtomicWord* entry = std::exchange(this->entry_, nullptr)) {
            detail::PoolBase::drop_reference(entry);
        }
    }
    /// Returns the entry with its reference, which the caller must drop. Leaves the pointer empty.
    [[nodiscard]] detail::AtomicWord* release() noexcept { return std::exchange(this->entry_, nullptr); }
    /// Number of pointers to the object; 0 for an empty one. It may change a moment later.
    [[nodiscard]] std::uint32_t use_count() const noexcept {
        return this->entry_ != nullptr ? detail::count_of(this->entry_).load(std::memory_order_relaxed) : 0;
    }

private:
    friend class weak_ptr<T, Arguments...>;
    explicit shared_ptr(detail::AtomicWord* entry) noexcept : detail::pointer<T, Arguments...>(entry) {}
};

/// Refers to a shared object without keeping it. Trivially copyable, so objects in soft memory can refer to others. Different
/// threads may use copies in any way. Valid as long as the object's pool.
template <class T, class... Arguments>
class weak_ptr {
public:
    /// Refers to no object.
    weak_ptr() noexcept = default;
    /// Refers to the object of `shared`.
    explicit weak_ptr(const shared_ptr<T, Arguments...>& shared) noexcept
        : entry_(shared.entry_),
          generation_(entry_ != nullptr ? detail::generation_of(entry_).load(std::memory_order_relaxed) : 0) {}

    /// Returns a pointer to the object; an empty one if nobody shares it any more.
    [[nodiscard]] shared_ptr<T, Arguments...> lock() const noexcept {
        return shared_ptr<T, Arguments...>(entry_ != nullptr && detail::PoolBase::take_reference(entry_, generation_) ? entry_
                                                                                                                      : nullptr);
    }

private:
    detail::AtomicWord* entry_ = nullptr;
    std::uint32_t generation_ = 0;
};

/// For reconstructors: the object that this thread rebuilds will own `other`, as with pointer::own(). Throws std::logic_error
/// outside a reconstructor, and std::bad_alloc.
template <class T, class... Arguments>
void own(shared_ptr<T, Arguments...> other) {
    detail::PoolBase::own_in_rebuild(other.release());
}

}  // namespace soft
