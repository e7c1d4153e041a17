// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DoubledStore: an evictable store with a second one. A page is stored once the second has it, and, if that is evictable itself,
// both have it; it is read from the first, or, if that has not got it (any more), from the second within the same call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "farmem/stores/store.hpp"

namespace tmm::far {

class DoubledStore : public Store {
public:
    DoubledStore(std::unique_ptr<Store> first, std::unique_ptr<Store> second)
        : first_(std::move(first)), second_(std::move(second)) {}

    void get(std::span<Get> gets) override {
        first_->get(gets);
        std::vector<Get> missing;
        for (const Get& one : gets) {
            if (!one.is_found)
                missing.push_back(one);
        }
        if (missing.empty())
            return;
        second_->get(missing);
        for (std::size_t i = 0, next = 0; i < gets.size(); ++i) {
            if (!gets[i].is_found)
                gets[i].is_found = missing[next++].is_found;
        }
    }
    void put(std::span<Put> puts) override {
        std::vector<Put> copies(puts.begin(), puts.end());
        first_->put(copies);
        second_->put(puts);
        for (std::size_t i = 0; second_->is_evictable() && i < puts.size(); ++i)
            puts[i].is_stored = puts[i].is_stored && copies[i].is_stored;
    }
    void drop(std::span<const EntryId> entries) override {
        first_->drop(entries);
        second_->drop(entries);
    }
    [[nodiscard]] std::string name() const override { return first_->name() + "+" + second_->name(); }

private:
    std::unique_ptr<Store> first_;
    std::unique_ptr<Store> second_;
};

}  // namespace tmm::far
