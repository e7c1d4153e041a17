// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "softlib/pool.hpp"

namespace soft {

/// A row of soft objects, each of which can be made from its index. 16 bytes an element are ordinary memory.
///
/// Elements have no addresses that could be handed out, so there are no references and no iterators to them: they are read, as
/// copies, and written. Reading and writing is thread-safe, also of the same element; moving and destroying is not. Indices are
/// checked (std::out_of_range). Reads throw what the reconstructor throws. Ordinary memory is taken by the constructor and, if T
/// has a serializer, for the copies.
template <storable T>
class array {
public:
    /// What its elements are.
    using value_type = T;
    /// Of an index.
    using size_type = std::size_t;
    /// Makes the element of an index. Called by whichever thread reads.
    using reconstructor = typename pool<T, size_type>::reconstructor;

    /// `size` elements, none of which is built yet. Throws std::bad_alloc; std::length_error for more than any vector can have.
    array(soft::heap& heap, std::string_view name, size_type size, reconstructor rebuild)
        : pool_(std::make_unique<pool<T, size_type>>(heap, name, std::move(rebuild))) {
        elements_.reserve(size);
        for (size_type i = 0; i < size; ++i) {
            elements_.push_back(pool_->make());
        }
    }

    /// What the other one had; that is empty then, and may only be destroyed or assigned to.
    array(array&&) noexcept = default;
    /// The other one has what this one had.
    array& operator=(array&& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(elements_, other.elements_);
        return *this;
    }
    ~array() = default;

    /// Elements, there or gone. Throws nothing.
    [[nodiscard]] size_type size() const noexcept { return elements_.size(); }
    /// Whether there are none. Throws nothing.
    [[nodiscard]] bool empty() const noexcept { return elements_.empty(); }

    /// A copy of the element, rebuilt if it is gone.
    T read(size_type index) const { return elements_.at(index).read(index); }
    /// A copy of the element if it is there.
    std::optional<T> try_get(size_type index) const { return elements_.at(index).try_get(); }
    /// Makes `value` the element, if there is room.
    void write(size_type index, const T& value) { elements_.at(index).write(value); }
    /// As pointer::compare_exchange().
    bool compare_exchange(size_type index, T& expected, const T& desired) requires std::equality_comparable<T> {
        return elements_.at(index).compare_exchange(expected, desired);
    }
    /// Drops all content; elements are rebuilt when they are read. Throws nothing.
    void clear() {
        for (const auto& element : elements_) {
            element.clear();
        }
    }
    /// Of its elements. Throws nothing.
    [[nodiscard]] pool_statistics statistics() const { return pool_->statistics(); }

private:
    // Where it is does not change when the array is moved: the elements know it.
    std::unique_ptr<pool<T, size_type>> pool_;
    std::vector<unique_ptr<T, size_type>> elements_;
};

}  // namespace soft
