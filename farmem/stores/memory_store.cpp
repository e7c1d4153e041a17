// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/memory_store.hpp"

#include <cstring>
#include <utility>

namespace tmm::far {

void MemoryStore::get(std::span<Get> gets) {
    const std::lock_guard guard(lock_);
    for (Get& one : gets) {
        one.is_found = one.entry < records_.size() && records_[one.entry].page && records_[one.entry].version == one.version;
        if (one.is_found)
            std::memcpy(one.page, records_[one.entry].page, page_bytes);
    }
}

void MemoryStore::put(std::span<Put> puts) {
    for (Put& one : puts) {
        // A batch in the background does not keep a fault waiting.
        const std::lock_guard guard(lock_);
        if (one.entry >= records_.size())
            records_.resize(one.entry + 1);
        Record& record = records_[one.entry];
        if (!record.page && nr_records_ < max_records_) {
            record.page = pool_.take();
            nr_records_ += record.page ? 1 : 0;
        }
        if (!record.page)
            continue;
        record.version = one.version;
        std::memcpy(record.page, one.page, page_bytes);
        one.is_stored = true;
    }
}

void MemoryStore::drop(std::span<const EntryId> entries) {
    const std::lock_guard guard(lock_);
    for (const EntryId entry : entries) {
        if (entry < records_.size() && records_[entry].page) {
            pool_.give_back(std::exchange(records_[entry].page, nullptr));
            --nr_records_;
        }
    }
}

}  // namespace tmm::far
