// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <dlfcn.h>

#include <atomic>

namespace soft::files {

/// The original of an interposed function: libc's, or that of the next preloaded library. Looked up at its first call, which may
/// be before any constructor has run. Thread-safe.
template <class Function>
class Next {
public:
    constexpr explicit Next(const char* name) noexcept : name_(name) {}

    template <class... Arguments>
    auto operator()(Arguments... arguments) {
        Function* function = function_.load(std::memory_order_relaxed);
        if (function == nullptr) {
            // It exists: the caller was linked with it.
            function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
            function_.store(function, std::memory_order_relaxed);
        }
        return function(arguments...);
    }

private:
    const char* name_;
    std::atomic<Function*> function_{nullptr};
};

}  // namespace soft::files
