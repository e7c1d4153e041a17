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

/// A queue of work that is not worth keeping at any price, like prefetches: what the kernel took is left out. First in, first
/// out. 16 bytes an element are ordinary memory. All functions are thread-safe; but for the constructor, push() and pop() they
/// throw nothing.
template <storable T>
class queue {
public:
    /// What its elements are.
    using value_type = T;

    /// An empty one. Throws std::bad_alloc.
    queue(soft::heap& heap, std::string_view name)
        : pool_(heap, name, []() -> T { throw std::logic_error("softlib: a queue rebuilds nothing"); }) {}
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;

    /// Adds an element. Throws std::bad_alloc for want of ordinary memory, and what the serializer throws; nothing is added then.
    void push(const T& value) {
        auto element = pool_.make(value);
        const std::lock_guard guard(mutex_);
        elements_.push_back(std::move(element));
    }
    /// Takes the first element that is still there; nothing if there is none. What a serializer throws costs the element.
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
    /// Elements, of which some may be gone.
    [[nodiscard]] std::size_t size() const {
        const std::lock_guard guard(mutex_);
        return elements_.size();
    }
    /// Whether there are none, not even some that are gone.
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Elements that pop() has found gone.
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
