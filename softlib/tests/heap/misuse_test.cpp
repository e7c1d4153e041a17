// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Mistakes that do not compile, and functions that do as those of the standard library.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "softlib/array.hpp"
#include "softlib/cache.hpp"
#include "softlib/queue.hpp"
#include "softlib/unordered_map.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

template <class... T>
constexpr bool none_storable = !(storable<T> || ...);
template <class... T>
constexpr bool all_storable = (storable<T> && ...);

static_assert(none_storable<char*, const char*, void (*)(), std::nullptr_t, std::unique_ptr<int>>);
static_assert(none_storable<std::string_view, std::span<int>, std::span<int, 3>, std::reference_wrapper<int>>);
static_assert(none_storable<std::string::iterator, std::vector<int>::const_iterator>);
static_assert(none_storable<std::array<char*, 2>, std::optional<char*>, std::array<std::string_view, 2>,
                            std::optional<std::array<const int*, 2>>>);
static_assert(none_storable<std::vector<char*>, std::vector<std::string_view>, std::vector<std::array<char*, 2>>>);

enum class Color : std::uint8_t { red };
struct Position {
    int x;
    int y;
};
static_assert(
    all_storable<int, double, bool, Color, Position, std::array<Position, 3>, std::optional<int>, weak_ptr<int>, std::byte>);
static_assert(all_storable<std::string, std::u16string, std::vector<int>, std::vector<Position>, std::vector<weak_ptr<int>>>);

/// Programs cannot reach entries: one that is not freed, or is freed twice, breaks the pool.
template <class Pool>
concept shows_entries = requires(Pool& one) {
    one.new_entry();
}
|| requires(Pool& one, detail::AtomicWord* entry) {
    one.free_entry(entry);
}
|| std::is_convertible_v<Pool*, detail::PoolBase*>;
static_assert(shows_entries<detail::TypedPool<int>> && !shows_entries<pool<int>>);

class MisuseTest : public SoftTest {};

TEST_F(MisuseTest, MovingIntoAPointerDropsWhatItHad) {
    pool<int> numbers(heap, "numbers", [] { return 1; });
    auto one = numbers.make(1);
    auto two = numbers.make(2);
    one = std::move(two);
    EXPECT_EQ(numbers.statistics().objects, 1U);
    EXPECT_EQ(one.try_get(), 2);
    EXPECT_FALSE(two);
    auto& same = one;
    one = std::move(same);
    EXPECT_EQ(one.try_get(), 2);
}

TEST_F(MisuseTest, MovingIntoAContainerDropsWhatItHad) {
    array<int> numbers(heap, "numbers", 3, [](std::size_t index) { return static_cast<int>(index); });
    array<int> others(heap, "others", 5, [](std::size_t index) { return static_cast<int>(index); });
    numbers = std::move(others);
    EXPECT_EQ(numbers.size(), 5U);
    EXPECT_EQ(others.size(), 0U);
    EXPECT_EQ(numbers.read(4), 4);
    unordered_map<int, int> map(heap, "map", [](int key) { return key; });
    unordered_map<int, int> another(heap, "another", [](int key) { return -key; });
    EXPECT_EQ(map.get(3), 3);
    map = std::move(another);
    EXPECT_EQ(map.size(), 0U);
    EXPECT_EQ(map.get(3), -3);
    EXPECT_EQ(another.size(), 0U);
}

TEST_F(MisuseTest, AWriteTellsIfThereIsNoRoom) {
    pool<int> numbers(heap, "numbers", [] { return 1; });
    array<int> row(heap, "row", 1, [](std::size_t) { return 1; });
    cache<int, int> answers(heap, "answers", {});
    const auto number = numbers.make();
    EXPECT_TRUE(number.write(2));
    EXPECT_TRUE(row.write(0, 2));
    EXPECT_TRUE(answers.put(1, 2));
    heap.seal();
    heap.set_limit(0);
    EXPECT_FALSE(number.write(3));
    EXPECT_FALSE(row.write(0, 3));
    EXPECT_FALSE(answers.put(1, 3));
    EXPECT_EQ(number.try_get(), std::nullopt);
}

TEST_F(MisuseTest, WithoutAHeapAllUseTheOneOfTheProcess) {
    array<int> row("row", 2, [](std::size_t index) { return static_cast<int>(index); });
    unordered_map<int, int> map("map", [](int key) { return key; });
    cache<int, int> answers("answers", {});
    queue<int> work("work");
    work.push(1);
    EXPECT_EQ(row.read(1), 1);
    EXPECT_EQ(map.get(3), 3);
    EXPECT_EQ(answers.get_or(1, [] { return 2; }), 2);
    work.pop();
    EXPECT_TRUE(work.empty());
}

}  // namespace
}  // namespace soft
