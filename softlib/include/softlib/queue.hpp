// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "softlib/pool.hpp"

namespace soft {

/// A queue of work that may be left out, like prefetches: it skips what the kernel took. First in, first out.
///
/// An element takes 16 bytes of ordinary memory. All functions are thread-safe. The constructor, push() and pop() may throw; the
/// others throw nothing.
template <class T>
class queue {
public:
    /// The type of an element.
    using value_type = T;

    /// An empty queue.
    ///
    /// `heap`: where the elements are. `name`: for people, in softlib-top and messages. Throws std::bad_alloc.
    queue(soft::heap& heap, std::string_view name)
        : pool_(heap, name, []() -> T { throw std::logic_error("softlib: a queue rebuilds nothing"); }) {}
    /// An empty queue in the process's own heap.
    explicit queue(std::string_view name) : queue(heap::process(), name) {}
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;

    /// Adds an element. Throws std::bad_alloc, or what the serializer throws; nothing is added then.
    void push(const T& value) {
        auto element = pool_.make(value);
        const std::lock_guard guard(mutex_);
        elements_.push_back(std::move(element));
    }
    /// Takes the first element that is still there; nothing if there is none. If the serializer throws, the element is dropped.
    std::optional<T> pop() {
        for (;;) {
            unique_ptr<T> element;
            {
                const std::lock_guard guard(mutex_);
                if (elements_.empty()) {
                    return std::nullopt;
                }
                element = std::move(elements_.front());
                elements_.pop_front();
            }
            if (std::optional<T> value = element.try_get()) {
                return value;
            }
            const std::lock_guard guard(mutex_);
            ++lost_;
        }
    }
    /// Number of elements; some may be gone.
    [[nodiscard]] std::size_t size() const {
        const std::lock_guard guard(mutex_);
        return elements_.size();
    }
    /// Whether there are no elements, not even some that are gone.
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Number of elements that pop() has found gone.
    [[nodiscard]] std::uint64_t lost() const {
        const std::lock_guard guard(mutex_);
        return lost_;
    }
    /// Drops all elements.
    void clear() {
        const std::lock_guard guard(mutex_);
        elements_.clear();
    }

private:
    pool<T> pool_;
    mutable std::mutex mutex_;
    std::deque<unique_ptr<T>> elements_;
    std::uint64_t lost_ = 0;
};

}  // namespace soft
