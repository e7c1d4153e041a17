// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SoftSecondaryCache: RocksDB's second tier of cached blocks, in soft memory. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "rocksdb_interface.hpp"
#include "softlib/cache.hpp"

namespace tmm::soft_memory {

class SoftSecondaryCache final : public BytesCache {
public:
    [[nodiscard]] const char* Name() const override { return "SoftSecondaryCache"; }
    void Erase(const rocksdb::Slice& key) override { blocks_.erase(key.ToString()); }

protected:
    // RocksDB calls it with a block that it evicts, most often to make room for the one that this thread missed and has read now.
    void save(std::string key, std::string bytes) override {
        // softlib measures a miss until the same key is put. So put it, empty, to end that time; its block follows when it is
        // evicted.
        if (missed) {
            blocks_.put(*missed, {});
            missed.reset();
        }
        blocks_.put(key, bytes);
    }
    std::optional<std::string> find(const std::string& key) override {
        std::optional<std::string> bytes = blocks_.get(key);
        if (!bytes || bytes->empty()) {
            missed = key;
            return std::nullopt;
        }
        return bytes;
    }

private:
    static inline thread_local std::optional<std::string> missed;

    soft::cache<std::string, std::string> blocks_{"blocks", {}};
};

}  // namespace tmm::soft_memory
