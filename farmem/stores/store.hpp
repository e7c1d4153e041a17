// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Store: keeps the far pages of one program: its partition. A record is named by its entry; a later version takes the place of
// the former. One thread calls get(), another put() and drop(), at the same time. What a store gives back at its end is the
// memory of all records.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "farmem/core/page.hpp"

namespace tmm::far {

class Store {
public:
    struct Get {
        EntryId entry = 0;
        Version version = 0;
        char* page = nullptr;   // page_bytes, written to if is_found
        bool is_found = false;  // with exactly this version
    };
    struct Put {
        EntryId entry = 0;
        Version version = 0;
        const char* page = nullptr;
        bool is_stored = false;  // not: the quota is reached, or the store fails
    };

    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    virtual void get(std::span<Get> gets) = 0;
    virtual void put(std::span<Put> puts) = 0;
    virtual void drop(std::span<const EntryId> entries) = 0;

    // Whether it may lose a record by itself, as a cache does: then it is never the only copy.
    [[nodiscard]] virtual bool is_evictable() const { return false; }
    [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace tmm::far
