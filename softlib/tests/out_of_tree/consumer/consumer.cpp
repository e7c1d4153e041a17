// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Uses code of the headers, code of the library, and things that must be the same in both: a vtable and an exception type.
#include <memory>
#include <softlib/array.hpp>
#include <softlib/budget.hpp>
#include <softlib/cache.hpp>
#include <softlib/heap.hpp>
#include <softlib/pool.hpp>
#include <softlib/queue.hpp>
#include <softlib/serializer.hpp>
#include <softlib/unordered_map.hpp>
#include <string>

namespace {

bool rebuilds_what_is_lost(soft::heap& heap) {
    int built = 0;
    soft::pool<std::string, int> texts(heap, "texts", [&](int n) {
        ++built;
        return std::string(static_cast<std::size_t>(n), 'x');
    });
    const auto text = texts.make();
    const bool first = text.read(5) == "xxxxx" && text.try_get() == "xxxxx" && built == 1;
    heap.seal();
    return first && heap.lose_pages(1, 1) > 0 && !text.try_get() && text.read(5) == "xxxxx" && built == 2;
}

bool catches_what_the_library_throws(soft::heap& heap) {
    const soft::unique_ptr<int>* self = nullptr;
    soft::pool<int> recursive(heap, "recursive", [&] { return self->read(); });
    const auto number = recursive.make();
    self = &number;
    try {
        number.read();
        return false;
    } catch (const soft::recursive_rebuild&) {
        return true;
    }
}

}  // namespace

int main() {
    soft::heap heap({.limit_bytes = 8 << 20});
    heap.follow(std::make_unique<soft::fixed_budget>(8 << 20));
    return rebuilds_what_is_lost(heap) && catches_what_the_library_throws(heap) && soft::machine_budget().interval().count() > 0
               ? 0
               : 1;
}
