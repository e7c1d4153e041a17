// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Operations: what memcached's commands do to the store, whatever protocol they came by. One object for each connection.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "caches/cached/service/counters.hpp"
#include "caches/cached/service/expiry.hpp"
#include "caches/store/byte_store.hpp"

namespace tmm::caches {

// Bits of Item::marks.
inline constexpr std::uint8_t mark_stale = 1;
// A client was told to make the item afresh.
inline constexpr std::uint8_t mark_won = 2;

enum class StoreMode : std::uint8_t { set, add, replace, append, prepend, cas };

struct StoreRequest {
    StoreMode mode = StoreMode::set;
    std::string_view key;
    std::string_view value;
    std::uint32_t flags = 0;
    std::int64_t expiry = 0;
    std::optional<std::uint64_t> compare_cas = std::nullopt;  // always with StoreMode::cas
    std::optional<std::uint64_t> new_cas = std::nullopt;
    bool creates = false;      // append and prepend: also without an item
    bool takes_older = false;  // cas: an older value is stored, marked stale
};

enum class StoreResult : std::uint8_t { stored, not_stored, exists, not_found, too_large, no_memory };

struct Stored {
    StoreResult result = StoreResult::not_stored;
    std::uint64_t cas = 0;
    std::size_t value_bytes = 0;
};

struct DeltaRequest {
    std::string_view key;
    bool increments = true;
    std::uint64_t delta = 1;
    std::optional<std::uint64_t> compare_cas = std::nullopt;
    std::optional<std::uint64_t> new_cas = std::nullopt;
    std::optional<std::uint64_t> initial = std::nullopt;  // without an item
    std::int64_t initial_expiry = 0;
    std::optional<std::int64_t> expiry = std::nullopt;  // of a present item
};

enum class DeltaResult : std::uint8_t { done, created, not_found, non_numeric, exists, no_memory };

struct Changed {
    DeltaResult result = DeltaResult::not_found;
    std::uint64_t number = 0;
    std::uint64_t cas = 0;
    std::uint32_t expires = 0;
};

enum class RemoveResult : std::uint8_t { removed, not_found, exists };

// What a meta get may change.
struct MetaGetRequest {
    std::string_view key;
    bool bumps = true;                                         // counts as a use
    std::optional<std::int64_t> vivify_expiry = std::nullopt;  // without an item, make an empty one
    std::optional<std::int64_t> recache_below = std::nullopt;  // an item that lives shorter is to be made afresh
    std::optional<std::int64_t> expiry = std::nullopt;         // touch
    std::optional<std::uint64_t> new_cas = std::nullopt;
};

struct MetaItem {
    Item item;
    bool won = false;          // this client is to make it afresh
    bool already_won = false;  // another one is
};

struct MetaRemoveRequest {
    std::string_view key;
    std::optional<std::uint64_t> compare_cas = std::nullopt;
    std::optional<std::uint64_t> new_cas = std::nullopt;
    bool marks_stale = false;
    bool empties = false;
    std::uint32_t flags = 0;
    std::optional<std::int64_t> expiry = std::nullopt;
};

class Operations {
public:
    // time: called for each command.
    Operations(ByteStore& store, Counters& counters, std::function<ServerTime()> time)
        : store_(store), counters_(counters), time_(std::move(time)) {}

    std::optional<Item> get(std::string_view key);
    std::optional<Item> get_and_touch(std::string_view key, std::int64_t expiry);
    bool touch(std::string_view key, std::int64_t expiry);
    Stored store(const StoreRequest& request);
    // A value was too large to be read: what was there before must not be found.
    void refuse_value(std::string_view key);
    Changed add(const DeltaRequest& request);
    RemoveResult remove(std::string_view key, std::optional<std::uint64_t> compare_cas);
    // Returns whether the item is there, without a use.
    std::optional<Item> look(std::string_view key) { return store_.get(key, ByteStore::Use::does_not); }
    void flush(std::int64_t delay);

    std::optional<MetaItem> meta_get(const MetaGetRequest& request);
    RemoveResult meta_remove(const MetaRemoveRequest& request);

    [[nodiscard]] ServerTime time() const { return time_(); }
    [[nodiscard]] Counters& counters() { return counters_; }

private:
    Stored finish(const Outcome& outcome, Stored stored);

    ByteStore& store_;
    Counters& counters_;
    std::function<ServerTime()> time_;
};

}  // namespace tmm::caches
