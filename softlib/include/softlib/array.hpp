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

/// An array of soft objects, each made from its index. An element takes 16 bytes of ordinary memory.
///
/// Elements have no addresses, so there are no references and no iterators. Reads return copies.
///
/// Reading and writing are thread-safe, also of the same element; moving and destroying are not. An index beyond the end throws
/// std::out_of_range. Reads throw what the reconstructor throws. The constructor allocates ordinary memory; if T has a
/// serializer, so do reads and writes.
template <class T>
class array {
public:
    /// The type of an element.
    using value_type = T;
    /// The type of an index.
    using size_type = std::size_t;
    /// Makes the element of an index. The reading thread calls it.
    using reconstructor = typename pool<T, size_type>::reconstructor;

    /// Makes `size` elements, none of which is built yet.
    ///
    /// `heap`: where the elements are. `name`: for people, in softlib-top and messages. `rebuild`: makes an element. Throws
    /// std::bad_alloc, or std::length_error if no vector can have `size` elements.
    array(soft::heap& heap, std::string_view name, size_type size, reconstructor rebuild)
        : pool_(std::make_unique<pool<T, size_type>>(heap, name, std::move(rebuild))) {
        elements_.reserve(size);
        for (size_type i = 0; i < size; ++i) {
            elements_.push_back(pool_->make());
        }
    }

    /// An array in the process's own heap.
    array(std::string_view name, size_type size, reconstructor rebuild)
        : array(heap::process(), name, size, std::move(rebuild)) {}

    /// Takes the other array's elements. The other one may then only be destroyed or assigned to.
    array(array&&) noexcept = default;
    /// Drops its elements and takes the other array's. The other one may then only be destroyed or assigned to.
    array& operator=(array&& other) noexcept {
        array taken(std::move(other));
        std::swap(pool_, taken.pool_);
        std::swap(elements_, taken.elements_);
        return *this;
    }
    ~array() = default;

    /// Number of elements, there or gone. Throws nothing.
    [[nodiscard]] size_type size() const noexcept { return elements_.size(); }
    /// Whether the array has no elements. Throws nothing.
    [[nodiscard]] bool empty() const noexcept { return elements_.empty(); }

    /// Returns a copy of the element and rebuilds it if it is gone.
    T read(size_type index) const { return elements_.at(index).read(index); }
    /// Returns a copy of the element, or nothing if it is gone. Never rebuilds.
    std::optional<T> try_get(size_type index) const { return elements_.at(index).try_get(); }
    /// Makes `value` the element. Returns false without room; then the element is lost.
    bool write(size_type index, const T& value) { return elements_.at(index).write(value); }
    /// As pointer::compare_exchange().
    bool compare_exchange(size_type index, T& expected, const T& desired) requires std::equality_comparable<T> {
        return elements_.at(index).compare_exchange(expected, desired);
    }
    /// Drops the content of all elements; reads rebuild them. Throws nothing.
    void clear() {
        for (const auto& element : elements_) {
            element.clear();
        }
    }
    /// Statistics of the elements. Throws nothing.
    [[nodiscard]] pool_statistics statistics() const { return pool_->statistics(); }

private:
    // Elements know the address of their pool, so it must not change when the array is moved.
    std::unique_ptr<pool<T, size_type>> pool_;
    std::vector<unique_ptr<T, size_type>> elements_;
};

}  // namespace soft
