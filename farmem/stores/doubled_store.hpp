// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DoubledStore: an evictable store with a second one that is safe. A page is stored once the safe one has it; it is read from the
// fast one, or, if that has not got it (any more), from the safe one within the same call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "farmem/stores/store.hpp"

namespace tmm::far {

class DoubledStore : public Store {
public:
    DoubledStore(std::unique_ptr<Store> fast, std::unique_ptr<Store> safe) : fast_(std::move(fast)), safe_(std::move(safe)) {}

    void get(std::span<Get> gets) override {
        fast_->get(gets);
        std::vector<Get> missing;
        for (const Get& one : gets) {
            if (!one.is_found)
                missing.push_back(one);
        }
        if (missing.empty())
            return;
        safe_->get(missing);
        for (std::size_t i = 0, next = 0; i < gets.size(); ++i) {
            if (!gets[i].is_found)
                gets[i].is_found = missing[next++].is_found;
        }
    }
    void put(std::span<Put> puts) override {
        // Whatever the fast one says.
        std::vector<Put> copies(puts.begin(), puts.end());
        fast_->put(copies);
        safe_->put(puts);
    }
    void drop(std::span<const EntryId> entries) override {
        fast_->drop(entries);
        safe_->drop(entries);
    }
    [[nodiscard]] std::string name() const override { return fast_->name() + "+" + safe_->name(); }

private:
    std::unique_ptr<Store> fast_;
    std::unique_ptr<Store> safe_;
};

}  // namespace tmm::far
