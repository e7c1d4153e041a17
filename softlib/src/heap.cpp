// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/heap.hpp"

#include <atomic>
#include <utility>

#include "src/heap_core.hpp"

namespace soft {

namespace {

std::atomic<const Heap*> own_of_process{nullptr};

}  // namespace

Heap& Heap::process() {
    static Heap* const heap = [] {
        auto made = std::make_unique<Heap>();
        made->follow(std::make_unique<MachineBudget>());
        own_of_process = made.get();
        return made.release();
    }();
    return *heap;
}

bool Heap::is_process() const noexcept {
    return own_of_process == this;
}

Heap::Heap(const Options& options) : core_(std::make_unique<detail::HeapCore>(options)) {}
Heap::~Heap() = default;
void Heap::set_limit(std::size_t bytes) {
    core_->set_limit(bytes);
}
void Heap::follow(std::unique_ptr<BudgetSource> source) {
    core_->follow(std::move(source));
}
std::size_t Heap::shrink(std::size_t bytes) {
    return core_->shrink(bytes);
}
std::size_t Heap::release(std::size_t bytes) {
    return core_->release(bytes);
}
std::size_t Heap::evacuate() {
    return core_->evacuate();
}
void Heap::seal() {
    core_->seal();
}
std::size_t Heap::lose_pages(double probability, std::uint64_t seed) {
    return core_->lose_pages(probability, seed);
}
Heap::Statistics Heap::statistics() const {
    return core_->statistics();
}
std::size_t Heap::lazy_free_bytes() const {
    return core_->lazy_free_bytes();
}

}  // namespace soft
