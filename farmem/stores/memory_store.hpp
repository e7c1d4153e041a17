// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MemoryStore: keeps pages in this process's memory, within a quota.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "farmem/stores/store.hpp"

namespace tmm::far {

class MemoryStore : public Store {
public:
    explicit MemoryStore(std::uint64_t max_records) : max_records_(max_records) {}

    void get(std::span<Get> gets) override;
    void put(std::span<Put> puts) override;
    void drop(std::span<const EntryId> entries) override;
    [[nodiscard]] std::string name() const override { return "memory"; }

private:
    struct Record {
        Version version = 0;
        std::unique_ptr<std::array<char, page_bytes>> page;
    };

    std::uint64_t max_records_;
    std::mutex lock_;
    std::vector<Record> records_;  // by entry
    std::uint64_t nr_records_ = 0;
};

}  // namespace tmm::far
