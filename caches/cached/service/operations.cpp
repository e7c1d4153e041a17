// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/service/operations.hpp"

#include <charconv>
#include <utility>

#include "caches/memcache/numbers.hpp"

namespace tmm::caches {
namespace {

// The longest number of 64 bits.
constexpr std::size_t max_digits = 20;

std::string_view trim_number(std::string_view value) {
    const std::size_t end = value.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view() : value.substr(0, end + 1);
}

Buffer value_of(std::string_view bytes) {
    return Buffer(bytes, max_trailer_bytes);
}

Buffer joined(std::string_view first, std::string_view second) {
    Buffer value(first, second.size() + max_trailer_bytes);
    value.append(second);
    return value;
}

}  // namespace

std::optional<Item> Operations::get(std::string_view key) {
    counters_.add(Count::cmd_get);
    std::optional<Item> item = store_.get(key);
    counters_.add(item ? Count::get_hits : Count::get_misses);
    return item;
}

std::optional<Item> Operations::get_and_touch(std::string_view key, std::int64_t expiry) {
    counters_.add(Count::cmd_touch);
    counters_.add(Count::cmd_get);
    const std::uint32_t expires = expiry_from(expiry, time_());
    std::optional<Item> item = store_.get(key);
    if (item) {
        item->expires = expires;
        store_.update(key, ByteStore::Need::item, [&](Item*) -> Decision { return Touch{.expires = expires}; });
    }
    counters_.add(item ? Count::touch_hits : Count::touch_misses);
    counters_.add(item ? Count::get_hits : Count::get_misses);
    return item;
}

bool Operations::touch(std::string_view key, std::int64_t expiry) {
    counters_.add(Count::cmd_touch);
    const std::uint32_t expires = expiry_from(expiry, time_());
    const Outcome outcome =
        store_.update(key, ByteStore::Need::item, [&](Item*) -> Decision { return Touch{.expires = expires}; });
    const bool found = outcome.what == Outcome::What::touched;
    counters_.add(found ? Count::touch_hits : Count::touch_misses);
    return found;
}

Stored Operations::finish(const Outcome& outcome, Stored stored) {
    switch (outcome.what) {
        case Outcome::What::stored:
            stored.result = StoreResult::stored;
            stored.cas = outcome.cas;
            counters_.add(Count::total_items);
            break;
        case Outcome::What::too_large:
            stored.result = StoreResult::too_large;
            counters_.add(Count::store_too_large);
            break;
        case Outcome::What::no_room:
            stored.result = StoreResult::no_memory;
            counters_.add(Count::store_no_memory);
            break;
        default:
            break;
    }
    return stored;
}

Stored Operations::store(const StoreRequest& request) {
    counters_.add(Count::cmd_set);
    const std::uint32_t expires = expiry_from(request.expiry, time_());
    Stored stored{.value_bytes = request.value.size()};
    const auto put = [&] {
        return Put{.value = value_of(request.value), .flags = request.flags, .expires = expires, .cas = request.new_cas};
    };
    const bool plain = request.mode == StoreMode::set && !request.compare_cas;
    auto decide = [&](Item* item) -> Decision {
        const bool joins = request.mode == StoreMode::append || request.mode == StoreMode::prepend;
        if (item == nullptr) {
            if (request.mode == StoreMode::set || request.mode == StoreMode::add || (joins && request.creates))
                return put();
            stored.result = request.mode == StoreMode::cas ? StoreResult::not_found : StoreResult::not_stored;
            return Keep{};
        }
        const bool matches = !request.compare_cas || *request.compare_cas == item->cas;
        if (request.mode == StoreMode::cas && !matches && request.takes_older && *request.compare_cas < item->cas) {
            Put older = put();
            older.expires = item->expires;
            older.marks = static_cast<std::uint8_t>(mark_stale | (item->marks & mark_won));
            return older;
        }
        if (request.mode == StoreMode::add)
            return Keep{};
        if (!matches) {
            stored.result = StoreResult::exists;
            return Keep{};
        }
        if (!joins)
            return put();
        const std::string_view old = item->value.view();
        Put both{.value = request.mode == StoreMode::append ? joined(old, request.value) : joined(request.value, old),
                 .flags = item->flags,
                 .expires = item->expires,
                 .cas = request.new_cas};
        stored.value_bytes = both.value.size();
        return both;
    };
    stored = finish(store_.update(request.key, plain ? ByteStore::Need::nothing : ByteStore::Need::item, decide), stored);
    if (request.mode == StoreMode::cas) {
        counters_.add(stored.result == StoreResult::exists      ? Count::cas_badval
                      : stored.result == StoreResult::not_found ? Count::cas_misses
                                                                : Count::cas_hits);
    }
    return stored;
}

void Operations::refuse_value(std::string_view key) {
    counters_.add(Count::store_too_large);
    store_.update(key, ByteStore::Need::item, [](Item*) -> Decision { return Remove{}; });
}

Changed Operations::add(const DeltaRequest& request) {
    const ServerTime time = time_();
    Changed changed;
    auto decide = [&](Item* item) -> Decision {
        std::array<char, max_digits + 1> digits{};
        const auto put_number = [&](std::uint64_t number, std::size_t min_bytes) {
            changed.number = number;
            const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
            static_cast<void>(error);  // they hold any number
            Put put{.value = value_of({digits.data(), static_cast<std::size_t>(end - digits.data())}), .cas = request.new_cas};
            // A shorter number keeps the length of the value, as clients know it.
            while (put.value.size() < min_bytes)
                put.value.append(" ");
            return put;
        };
        if (item == nullptr) {
            if (!request.initial)
                return Keep{};
            changed.result = DeltaResult::created;
            Put put = put_number(*request.initial, 0);
            put.expires = changed.expires = expiry_from(request.initial_expiry, time);
            return put;
        }
        if (request.compare_cas && *request.compare_cas != item->cas) {
            changed.result = DeltaResult::exists;
            return Keep{};
        }
        const auto number = memcache::parse_number<std::uint64_t>(trim_number(item->value.view()));
        if (!number || item->value.size() > max_digits) {
            changed.result = DeltaResult::non_numeric;
            return Keep{};
        }
        const std::uint64_t reduced = *number < request.delta ? 0 : *number - request.delta;
        changed.result = DeltaResult::done;
        Put put = put_number(request.increments ? *number + request.delta : reduced, item->value.size());
        put.flags = item->flags;
        put.marks = item->marks;
        put.expires = changed.expires = request.expiry ? expiry_from(*request.expiry, time) : item->expires;
        return put;
    };
    const Outcome outcome = store_.update(request.key, ByteStore::Need::item, decide);
    changed.cas = outcome.cas;
    if (outcome.what == Outcome::What::no_room || outcome.what == Outcome::What::too_large)
        changed.result = DeltaResult::no_memory;
    if (changed.result == DeltaResult::done)
        counters_.add(request.increments ? Count::incr_hits : Count::decr_hits);
    else if (changed.result == DeltaResult::not_found || changed.result == DeltaResult::created)
        counters_.add(request.increments ? Count::incr_misses : Count::decr_misses);
    return changed;
}

RemoveResult Operations::remove(std::string_view key, std::optional<std::uint64_t> compare_cas) {
    return meta_remove({.key = key, .compare_cas = compare_cas});
}

RemoveResult Operations::meta_remove(const MetaRemoveRequest& request) {
    const ServerTime time = time_();
    RemoveResult result = RemoveResult::not_found;
    store_.update(request.key, ByteStore::Need::item, [&](Item* item) -> Decision {
        if (item == nullptr)
            return Keep{};
        if (request.compare_cas && *request.compare_cas != item->cas) {
            result = RemoveResult::exists;
            return Keep{};
        }
        result = RemoveResult::removed;
        if (!request.marks_stale && !request.empties)
            return Remove{};
        Put put{.value = {}, .flags = item->flags, .expires = item->expires, .marks = item->marks, .cas = request.new_cas};
        if (request.empties) {
            put.flags = request.flags;
            put.marks = 0;
        } else {
            put.value = std::move(item->value);
        }
        if (request.expiry)
            put.expires = expiry_from(*request.expiry, time);
        if (request.marks_stale)
            put.marks = mark_stale;
        return put;
    });
    counters_.add(result == RemoveResult::removed ? Count::delete_hits : Count::delete_misses);
    return result;
}

void Operations::flush(std::int64_t delay) {
    counters_.add(Count::cmd_flush);
    const ServerTime time = time_();
    const std::uint32_t at = expiry_from(delay, time);
    store_.flush(at > time.now ? at - time.now : 0);
}

std::optional<MetaItem> Operations::meta_get(const MetaGetRequest& request) {
    const ServerTime time = time_();
    MetaItem meta;
    const auto settle = [&](const Item& item) {
        const bool won_before = (item.marks & mark_won) != 0;
        const bool short_lived =
            request.recache_below && item.expires != 0 && item.expires < expiry_from(*request.recache_below, time);
        meta.already_won = won_before;
        meta.won = !won_before && (short_lived || (item.marks & mark_stale) != 0);
    };
    std::optional<Item> item = store_.get(request.key, request.bumps ? ByteStore::Use::counts : ByteStore::Use::does_not);
    if (item) {
        settle(*item);
        if (request.expiry || meta.won) {
            store_.update(request.key, ByteStore::Need::item, [&](Item* present) -> Decision {
                if (present == nullptr)
                    return Keep{};
                // Another client may have won meanwhile.
                settle(*present);
                Touch touch;
                if (request.expiry)
                    touch.expires = item->expires = expiry_from(*request.expiry, time);
                if (meta.won)
                    touch.marks = static_cast<std::uint8_t>(present->marks | mark_won);
                return touch;
            });
        }
        meta.item = std::move(*item);
    } else if (request.vivify_expiry) {
        const std::uint32_t expires = expiry_from(request.expiry.value_or(*request.vivify_expiry), time);
        const Outcome outcome = store_.update(request.key, ByteStore::Need::item, [&](Item* present) -> Decision {
            if (present != nullptr) {
                meta.item = std::move(*present);
                settle(meta.item);
                return meta.won ? Decision(Touch{.marks = static_cast<std::uint8_t>(meta.item.marks | mark_won)}) : Keep{};
            }
            meta.won = true;
            meta.item.expires = expires;
            meta.item.last_access = time.now;
            return Put{.value = {}, .expires = expires, .marks = mark_won, .cas = request.new_cas};
        });
        meta.item.cas = outcome.cas;
        item.emplace();
    }
    if (request.expiry) {
        counters_.add(Count::cmd_touch);
        counters_.add(item ? Count::touch_hits : Count::touch_misses);
    } else {
        counters_.add(Count::cmd_get);
        counters_.add(item ? Count::get_hits : Count::get_misses);
    }
    if (!item)
        return std::nullopt;
    return meta;
}

}  // namespace tmm::caches
