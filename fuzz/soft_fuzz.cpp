// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares softlib's containers with a model while they lose memory, evacuate segments, and serializers throw. The model knows
// the right value of each element, and whether an event since could have lost it. A value that was gone once must not come back.
#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/soft_model.hpp"
#include "softlib/array.hpp"
#include "softlib/cache.hpp"
#include "softlib/queue.hpp"
#include "softlib/testing.hpp"
#include "softlib/unordered_map.hpp"
#include "tests/fake_os.hpp"

namespace {

using namespace tmm::fuzz;

constexpr std::size_t mebibyte = std::size_t{1} << 20;
// A step opens at most two segments, and the heap has room for them all: so its limit, which would also lose objects, is never
// met.
constexpr std::size_t max_steps = 1500;
constexpr std::size_t limit_bytes = (max_steps + 1) * 4 * mebibyte;
constexpr std::size_t max_value_bytes = 5000;

struct Fixed {
    std::array<std::uint32_t, 13> words;
    bool operator==(const Fixed&) const = default;
};

Fixed fixed_of(std::size_t index, std::uint32_t version) {
    Fixed made{};
    for (std::uint32_t& word : made.words)
        word = static_cast<std::uint32_t>(index) * 7919U + version * 104729U + 1;
    return made;
}

class ArrayUnderTest {
public:
    explicit ArrayUnderTest(soft::heap& heap)
        : array_(heap, "array", known_.size(), [](std::size_t i) { return fixed_of(i, 0); }) {}

    void step(Input& input, std::uint32_t version) {
        const std::size_t index = input.byte() % known_.size();
        Known<Fixed>& known = known_[index];
        switch (input.byte() % 8) {
            case 0:
            case 1:
            case 2:
                array_.write(index, fixed_of(index, version));
                known.put(fixed_of(index, version));
                break;
            case 3:
            case 4:
                known.check_read(array_.read(index), fixed_of(index, 0));
                break;
            case 5:
                known.check(array_.try_get(index));
                break;
            case 6:
                exchange(index, version, input.byte() % 2 == 0);
                break;
            default:
                array_.clear();
                for (Known<Fixed>& each : known_)
                    each.drop();
        }
        TMM_REQUIRE(array_.size() == known_.size());
    }

private:
    void exchange(std::size_t index, std::uint32_t version, bool guesses_right) {
        Known<Fixed>& known = known_[index];
        const Fixed guess = guesses_right && known.value() ? *known.value() : fixed_of(index, version + 1);
        Fixed expected = guess;
        if (array_.compare_exchange(index, expected, fixed_of(index, version))) {
            TMM_REQUIRE(known.value() == guess);
            known.put(fixed_of(index, version));
        } else {
            known.check(expected == guess ? std::nullopt : std::optional<Fixed>(expected));
        }
    }

    std::array<Known<Fixed>, 48> known_;
    soft::array<Fixed> array_;
};

class MapUnderTest {
public:
    explicit MapUnderTest(soft::heap& heap) : map_(heap, "map", [](const std::string& key) { return record_of(key, 0, 3); }) {}

    void step(Input& input, std::uint32_t version) {
        const std::string key(1 + input.byte() % 40, static_cast<char>('a' + input.byte() % 3));
        const std::uint8_t what = input.byte();
        try {
            change(key, what, record_of(key, version, what * 20U));
        } catch (const Refused&) {
            // A new key may stay or not. A known key keeps its value.
            if (map_.contains(key))
                known_.try_emplace(key);
        }
        TMM_REQUIRE(map_.size() == known_.size());
        TMM_REQUIRE(map_.contains(key) == known_.contains(key));
    }

private:
    static Record record_of(const std::string& key, std::uint32_t version, std::size_t bytes) {
        return {key + std::to_string(version), std::vector<std::uint64_t>(std::min(bytes, max_value_bytes) / 8, version)};
    }

    void change(const std::string& key, std::uint8_t what, const Record& record) {
        switch (what % 8) {
            case 0:
            case 1: {
                const bool is_new = !known_.contains(key);
                TMM_REQUIRE(map_.insert_or_assign(key, record) == is_new);
                known_[key].put(record);
                break;
            }
            case 2: {
                const std::optional<Record> found = map_.find(key);
                TMM_REQUIRE(found.has_value() == known_.contains(key));
                if (found)
                    known_[key].check_read(*found, record_of(key, 0, 3));
                break;
            }
            case 3: {
                const std::optional<Record> found = map_.try_get(key);
                if (known_.contains(key))
                    known_[key].check(found);
                else
                    TMM_REQUIRE(!found);
                break;
            }
            case 4: {
                const Record got = map_.get(key);
                known_[key].check_read(got, record_of(key, 0, 3));
                break;
            }
            case 5:
                TMM_REQUIRE(map_.erase(key) == known_.erase(key));
                break;
            case 6:
                map_.erase_lost();
                std::erase_if(known_, [&](const auto& item) { return !map_.contains(item.first) && item.second.may_be_gone(); });
                break;
            default:
                map_.for_each([&](const std::string& each, const Record& value) { known_.at(each).check(value); });
        }
    }

    std::map<std::string, Known<Record>> known_;
    soft::unordered_map<std::string, Record> map_;
};

class QueueUnderTest {
public:
    explicit QueueUnderTest(soft::heap& heap) : queue_(heap, "queue") {}

    void step(Input& input, std::uint32_t version) {
        const std::uint8_t what = input.byte();
        if (what == 255) {
            queue_.clear();
            known_.clear();
        } else if (what % 2 == 0) {
            const std::vector<std::uint32_t> work(1 + what * 4U, version);
            queue_.push(work);
            known_.emplace_back().put(work);
        } else {
            pop();
        }
        TMM_REQUIRE(queue_.size() == known_.size() && queue_.lost() == lost_);
    }

private:
    void pop() {
        const std::optional<std::vector<std::uint32_t>> got = queue_.pop();
        while (!known_.empty()) {
            const Known<std::vector<std::uint32_t>> first = known_.front();
            known_.pop_front();
            if (got && got == first.value())
                return;
            TMM_REQUIRE(first.may_be_gone());
            ++lost_;
        }
        TMM_REQUIRE(!got);
    }

    std::deque<Known<std::vector<std::uint32_t>>> known_;
    std::uint64_t lost_ = 0;
    soft::queue<std::vector<std::uint32_t>> queue_;
};

class CacheUnderTest {
    using Cache = soft::cache<std::uint8_t, std::string>;
    static constexpr std::size_t budget = std::size_t{64} << 10;
    static constexpr std::chrono::seconds time_to_live{50};

public:
    explicit CacheUnderTest(soft::heap& heap)
        : cache_(heap, "cache", {.budget_bytes = budget, .time_to_live = time_to_live, .now = [this] { return now_; }}) {}

    void step(Input& input, std::uint32_t version) {
        const std::uint8_t key = input.byte();
        const std::uint8_t what = input.byte();
        const std::string value(1 + what * 16U, static_cast<char>(version));
        now_ += std::chrono::seconds(what % 4);
        switch (what % 8) {
            case 0:
            case 1:
            case 2:
                cache_.put(key, value);
                items_[key] = {value, now_};
                break;
            case 3:
            case 4:
                get_or(key, value);
                break;
            case 5:
            case 6:
                // The budget may evict it at any time. A value that is gone stays gone.
                if (const std::optional<std::string> got = cache_.get(key))
                    check(key, *got);
                else if (const auto at = items_.find(key); at != items_.end())
                    at->second.value.reset();
                break;
            default:
                cache_.erase(key);
                items_.erase(key);
        }
        const soft::cache_statistics published = cache_.statistics();
        TMM_REQUIRE(published.keys <= items_.size());
        TMM_REQUIRE(published.bytes <= budget + Cache::shards * (Cache::entry_bytes + max_value_bytes));
    }

private:
    struct Item {
        std::optional<std::string> value;
        Cache::clock::time_point made;
    };

    void check(std::uint8_t key, const std::string& got) {
        const auto at = items_.find(key);
        TMM_REQUIRE(at != items_.end() && got == at->second.value && now_ - at->second.made < time_to_live);
    }
    void get_or(std::uint8_t key, const std::string& value) {
        bool made = false;
        const std::string got = cache_.get_or(key, [&] {
            made = true;
            return value;
        });
        if (made)
            items_[key] = {value, now_};
        check(key, got);
    }

    Cache::clock::time_point now_;
    std::map<std::uint8_t, Item> items_;
    Cache cache_;
};

class UnderTest {
public:
    UnderTest() = default;
    UnderTest(const UnderTest&) = delete;
    UnderTest& operator=(const UnderTest&) = delete;
    ~UnderTest() {
        refuses_in = 0;
        soft::lose_reads(0);
    }

    void step(Input& input, std::uint32_t version) {
        if (reads_lose_)
            ++losses;
        switch (input.byte() % 8) {
            case 0:
            case 1:
                array_.step(input, version);
                break;
            case 2:
            case 3:
                map_.step(input, version);
                break;
            case 4:
            case 5:
                queue_.step(input, version);
                break;
            case 6:
                cache_.step(input, version);
                break;
            default:
                disturb(input);
        }
    }

private:
    void disturb(Input& input) {
        const std::uint8_t what = input.byte();
        const double share = (what >> 3) / 31.0;
        switch (what % 8) {
            case 0:
                heap_.seal();
                break;
            case 1:
            case 2:
                heap_.seal();
                heap_.lose_pages(share, input.byte());
                ++losses;
                break;
            case 3:
                heap_.release(mebibyte);
                ++losses;
                break;
            case 4:
                heap_.shrink(mebibyte);
                ++losses;
                break;
            case 5:
                // Loses nothing.
                heap_.evacuate();
                break;
            case 6:
                reads_lose_ = share > 0.5;
                soft::lose_reads(reads_lose_ ? share : 0);
                break;
            default:
                refuses_in = what >> 3;
        }
    }

    soft::detail::FakeOs os_;
    soft::heap heap_{{.limit_bytes = limit_bytes, .background = false, .os = &os_}};
    bool reads_lose_ = false;
    ArrayUnderTest array_{heap_};
    MapUnderTest map_{heap_};
    QueueUnderTest queue_{heap_};
    CacheUnderTest cache_{heap_};
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    UnderTest all;
    for (std::uint32_t version = 1; version < max_steps && !input.empty(); ++version)
        all.step(input, version);
    return 0;
}
