// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace soft::detail {

class HeapCore;

/// All heaps of the process, for the handlers of fork(). Thread-safe.
void register_heap(HeapCore& heap);
void unregister_heap(HeapCore& heap) noexcept;

}  // namespace soft::detail
