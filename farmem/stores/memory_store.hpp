// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MemoryStore: keeps pages in this process's memory, within a quota.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "farmem/stores/page_pool.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class MemoryStore : public Store {
public:
    explicit MemoryStore(std::uint64_t max_records, std::string name = "memory")
        : max_records_(max_records), name_(std::move(name)) {}

    void get(std::span<Get> gets) override;
    void put(std::span<Put> puts) override;
    void drop(std::span<const EntryId> entries) override;
    [[nodiscard]] std::string name() const override { return name_; }

private:
    struct Record {
        Version version = 0;
        char* page = nullptr;
    };

    const std::uint64_t max_records_;
    const std::string name_;
    std::mutex lock_;
    PagePool pool_;
    std::vector<Record> records_;  // by entry
    std::uint64_t nr_records_ = 0;
};

}  // namespace tmm::far
