// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/heap/heap_registry.hpp"

#include <pthread.h>

#include <mutex>
#include <vector>

#include "src/counters/board.hpp"
#include "src/heap/heap_core.hpp"
#include "src/heap/rebuild_waits.hpp"

namespace soft::detail {
namespace {

struct Registry {
    std::mutex mutex;
    std::vector<HeapCore*> heaps;
};

// Never destroyed: a process may fork while its static objects are destroyed.
Registry& registry() {
    static auto* const all = new Registry;
    return *all;
}

void before_fork() {
    registry().mutex.lock();
    for (const auto stage : {HeapCore::ForkStage::pools, HeapCore::ForkStage::each_pool, HeapCore::ForkStage::keeper_and_rest}) {
        for (HeapCore* heap : registry().heaps) {
            heap->before_fork(stage);
        }
    }
    lock_board();
    lock_rebuild_waits();
}

void after_fork_in_parent() {
    unlock_rebuild_waits();
    unlock_board();
    for (HeapCore* heap : registry().heaps) {
        heap->after_fork_in_parent();
    }
    registry().mutex.unlock();
}

void after_fork_in_child() {
    forget_rebuild_waits();
    unlock_board();
    for (HeapCore* heap : registry().heaps) {
        heap->after_fork_in_child();
    }
    registry().mutex.unlock();
}

}  // namespace

void register_heap(HeapCore& heap) {
    static const int handlers = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    static_cast<void>(handlers);
    const std::lock_guard guard(registry().mutex);
    registry().heaps.push_back(&heap);
}

void unregister_heap(HeapCore& heap) noexcept {
    const std::lock_guard guard(registry().mutex);
    std::erase(registry().heaps, &heap);
}

}  // namespace soft::detail
