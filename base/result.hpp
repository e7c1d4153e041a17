// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Result<T>: holds a value or an Error; the subset of std::expected that TMM uses (gcc 12 in C++20 mode has none). It is as
// thread-safe as T. Access to the wrong alternative is a bug and aborts.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace tmm {

// Error: holds an errno code (0 when none applies) and a chain of context, outermost first.
class Error {
public:
    Error(int errno_code, std::string message) : code_(errno_code), message_(std::move(message)) {}

    // Returns the error of a failed system call, with the message "context: strerror(errno_code)".
    static Error from_errno(int errno_code, const std::string& context);

    // Returns this error with the message "context: message".
    [[nodiscard]] Error with_context(const std::string& context) && {
        message_ = context + ": " + message_;
        return std::move(*this);
    }

    [[nodiscard]] int code() const { return code_; }
    [[nodiscard]] const std::string& message() const { return message_; }

private:
    int code_;
    std::string message_;
};

namespace detail {

// Returns the alternative, or aborts if it is not there: its use is a bug, not an error to handle.
template <typename T>
T* checked(T* alternative) {
    if (!alternative)
        std::abort();
    return alternative;
}

}  // namespace detail

template <typename T>
class [[nodiscard]] Result {
public:
    using value_type = T;

    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & { return *detail::checked(std::get_if<0>(&state_)); }
    const T& value() const& { return *detail::checked(std::get_if<0>(&state_)); }
    T&& value() && { return std::move(*detail::checked(std::get_if<0>(&state_))); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    Error& error() & { return *detail::checked(std::get_if<1>(&state_)); }
    const Error& error() const& { return *detail::checked(std::get_if<1>(&state_)); }
    Error&& error() && { return std::move(*detail::checked(std::get_if<1>(&state_))); }

private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : state_(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    Error& error() & { return *detail::checked(std::get_if<Error>(&state_)); }
    const Error& error() const& { return *detail::checked(std::get_if<Error>(&state_)); }
    Error&& error() && { return std::move(*detail::checked(std::get_if<Error>(&state_))); }

private:
    std::variant<std::monostate, Error> state_;
};

}  // namespace tmm
