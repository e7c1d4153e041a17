// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Buffer: bytes in ordinary memory that are written once. Unlike std::vector it does not clear what it is about to copy into, so
// a value is copied once on its way from soft memory to a socket. softlib stores it as a row (softlib/serializer.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace tmm::caches {

/// Moves; copies only by Buffer(view()). Functions that allocate throw std::bad_alloc.
class Buffer {
public:
    using value_type = char;

    Buffer() noexcept = default;
    /// A copy of `bytes`, with room for `spare` more.
    explicit Buffer(std::string_view bytes, std::size_t spare = 0) {
        reserve(bytes.size() + spare);
        append(bytes);
    }
    Buffer(Buffer&& other) noexcept
        : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        bytes_ = std::move(other.bytes_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }
    ~Buffer() = default;

    [[nodiscard]] char* data() noexcept { return bytes_.get(); }
    [[nodiscard]] const char* data() const noexcept { return bytes_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }
    bool operator==(const Buffer& other) const noexcept { return view() == other.view(); }

    /// Makes room for `bytes` in all, and no more. Never gives room back.
    void reserve(std::size_t bytes) {
        if (bytes > capacity_) {
            auto* grown = bytes <= PTRDIFF_MAX ? static_cast<char*>(std::realloc(bytes_.get(), bytes)) : nullptr;
            if (grown == nullptr) {
                throw std::bad_alloc();
            }
            static_cast<void>(bytes_.release());
            bytes_.reset(grown);
            capacity_ = bytes;
        }
    }
    /// Sets the size. Further bytes have any value.
    void resize(std::size_t bytes) {
        reserve(bytes);
        size_ = bytes;
    }
    void append(std::string_view more) {
        const std::size_t before = size_;
        resize(before + more.size());
        if (!more.empty()) {
            std::memcpy(bytes_.get() + before, more.data(), more.size());
        }
    }

private:
    struct Free {
        void operator()(char* bytes) const noexcept { std::free(bytes); }
    };
    std::unique_ptr<char, Free> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace tmm::caches
