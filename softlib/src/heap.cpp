// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/heap.hpp"

#include <atomic>
#include <utility>

#include "src/budget/coordinated_budget.hpp"
#include "src/heap/heap_core.hpp"

namespace soft {

namespace {

std::atomic<const heap*> own_of_process{nullptr};

}  // namespace

heap& heap::process() {
    static heap* const own = [] {
        auto made = std::make_unique<heap>();
        made->share();
        own_of_process = made.get();
        return made.release();
    }();
    return *own;
}

bool heap::is_process() const noexcept {
    return own_of_process == this;
}

heap::heap(const heap_options& options) : core_(std::make_unique<detail::HeapCore>(options)) {}
heap::~heap() = default;
void heap::set_limit(std::size_t bytes) {
    core_->bound(bytes);
}
void heap::follow(std::unique_ptr<budget_source> source) {
    core_->follow(std::move(source));
}
void heap::share() {
    follow(std::make_unique<coordinated_budget>(*this, coordinated_budget::path_of_environment()));
}
std::size_t heap::shrink(std::size_t bytes) {
    return core_->shrink(bytes);
}
std::size_t heap::release(std::size_t bytes) {
    return core_->release(bytes);
}
std::size_t heap::evacuate() {
    return core_->evacuate();
}
void heap::seal() {
    core_->seal();
}
std::size_t heap::lose_pages(double probability, std::uint64_t seed) {
    return core_->lose_pages(probability, seed);
}
std::size_t heap::segment_bytes() const noexcept {
    return core_->segment_bytes_in_use();
}

heap_statistics heap::statistics() const {
    return core_->statistics();
}
std::size_t heap::lazy_free_bytes() const {
    return core_->lazy_free_bytes();
}

}  // namespace soft
