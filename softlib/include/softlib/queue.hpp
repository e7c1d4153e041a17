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
/// out. 16 bytes an element are ordinary memory. All functions are thread-safe; push() throws std::bad_alloc for want of those.
template <Storable T>
class queue {
public:
    using value_type = T;

    queue(Heap& heap, std::string_view name)
        : pool_(heap, name, []() -> T { throw std::logic_error("softlib: a queue rebuilds nothing"); }) {}
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;

    void push(const T& value) {
        auto element = pool_.make(value);
        const std::lock_guard guard(mutex_);
        elements_.push_back(std::move(element));
    }
    /// The first element that is still there; nothing if there is none.
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
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Elements that pop() has found gone.
    [[nodiscard]] std::uint64_t lost() const {
        const std::lock_guard guard(mutex_);
        return lost_;
    }
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
