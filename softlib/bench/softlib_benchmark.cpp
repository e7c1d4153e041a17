// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib beside std::unique_ptr, std::unordered_map, plain copies and madvise(2): ./run bench softlib. Figures are medians of
// repetitions of one run; the ratios count.
#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coordinate/records.hpp"
#include "softlib/cache.hpp"
#include "softlib/pool.hpp"
#include "softlib/softlib.h"
#include "softlib/unordered_map.hpp"
#include "src/budget/coordinated_budget.hpp"
#include "src/reuse/reuse_sampler.hpp"

namespace {

constexpr std::size_t objects = 1'000'000;
constexpr std::size_t few = 8;
constexpr std::size_t cached_values = 100'000;
constexpr std::size_t gibibyte = std::size_t{1} << 30;

struct Small {
    std::array<std::uint64_t, 4> words;
};
template <std::size_t bytes>
struct Block {
    std::array<std::byte, bytes> content;
};

// One heap for all, as a program would have.
soft::heap& heap() {
    static auto* const one = new soft::heap({.limit_bytes = gibibyte});
    return *one;
}

// The socket of a thread that stands for tmmd: it grants a gibibyte to one heap.
const std::string& stand_in_path() {
    static const auto* const path = [] {
        const auto* made = new std::string("/tmp/softlib-benchmark-" + std::to_string(::getpid()));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, made->c_str(), sizeof address.sun_path - 1);
        const int listener = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(listener, 1) != 0) {
            std::abort();
        }
        std::thread([listener, made] {
            const int peer = ::accept(listener, nullptr, nullptr);
            ::unlink(made->c_str());
            soft::coordinate::report report{};
            while (::recv(peer, &report, sizeof report, 0) > 0) {
                const soft::coordinate::grant grant{
                    {soft::coordinate::version, static_cast<std::uint32_t>(soft::coordinate::kind::grant)},
                    report.number,
                    gibibyte,
                    10'000,
                    0};
                ::send(peer, &grant, sizeof grant, MSG_NOSIGNAL);
            }
        }).detach();
        return made;
    }();
    return *path;
}

// As the process's heap while tmmd runs: uses are sampled and reported.
soft::heap& told_heap() {
    static auto* const one = [] {
        auto* made = new soft::heap({.limit_bytes = gibibyte});
        made->follow(std::make_unique<soft::coordinated_budget>(*made, stand_in_path()));
        return made;
    }();
    return *one;
}

const std::vector<std::uint32_t>& order() {
    static const auto* const all = [] {
        auto* made = new std::vector<std::uint32_t>(objects);
        for (std::uint32_t i = 0; i < objects; ++i) {
            (*made)[i] = i;
        }
        std::shuffle(made->begin(), made->end(), std::mt19937(1));
        return made;
    }();
    return *all;
}

// A million objects of either kind, made in the same order.
struct Smalls {
    soft::pool<Small> pool{heap(), "small", [] { return Small{}; }};
    std::vector<soft::unique_ptr<Small>> soft;
    std::vector<std::unique_ptr<Small>> hard;

    Smalls() {
        for (std::uint64_t i = 0; i < objects; ++i) {
            soft.push_back(pool.make(Small{{i, i, i, i}}));
            hard.push_back(std::make_unique<Small>(Small{{i, i, i, i}}));
        }
        heap().seal();
        // The first read of an object marks it, which the others find.
        for (const auto& one : soft) {
            benchmark::DoNotOptimize(one.read());
        }
    }
};
Smalls& smalls() {
    static auto* const all = new Smalls;
    return *all;
}

Small read(const std::unique_ptr<Small>& one) {
    return *one;
}
Small read(const soft::unique_ptr<Small>& one) {
    return one.read();
}
template <class Pointer>
const Pointer* pointers() {
    if constexpr (std::is_same_v<Pointer, std::unique_ptr<Small>>) {
        return smalls().hard.data();
    } else {
        return smalls().soft.data();
    }
}

// The same few objects in turn. Their numbers are constants: to compute them would take as long as to read a plain object.
template <class Pointer>
void read_few(benchmark::State& state, std::size_t first) {
    const Pointer* all = pointers<Pointer>() + first;
    for ([[maybe_unused]] auto _ : state) {
        [&]<std::size_t... index>(std::index_sequence<index...>) {
            (benchmark::DoNotOptimize(read(all[index])), ...);
        }
        (std::make_index_sequence<few>());
    }
}
template <class Pointer>
void read_same(benchmark::State& state) {
    read_few<Pointer>(state, 0);
}
// Each thread has its own objects.
template <class Pointer>
void read_own(benchmark::State& state) {
    read_few<Pointer>(state, static_cast<std::size_t>(state.thread_index()) * objects / 2);
}

// Objects at random, by a list of numbers. The list alone is measured, too.
class RandomNumbers {
public:
    explicit RandomNumbers(const benchmark::State& state)
        : at_(order().data() + static_cast<std::size_t>(state.thread_index()) * objects / 2) {}
    std::size_t next() {
        const std::size_t number = *at_++;
        at_ = at_ == end_ ? order().data() : at_;
        return number;
    }

private:
    const std::uint32_t* at_;
    const std::uint32_t* end_ = order().data() + objects;
};
void number_alone(benchmark::State& state) {
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(numbers.next());
    }
}
template <class Pointer>
void read_random(benchmark::State& state) {
    const Pointer* all = pointers<Pointer>();
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(read(all[numbers.next()]));
    }
}
// As a program that needs each object before it knows the next: reads do not overlap. Nothing is added to a number, but the
// processor does not know that before it has the object.
template <class Pointer>
void read_in_turn(benchmark::State& state) {
    const Pointer* all = pointers<Pointer>();
    RandomNumbers numbers(state);
    std::uint64_t nothing = 0;
    benchmark::DoNotOptimize(nothing);
    std::uint64_t before = 0;
    for ([[maybe_unused]] auto _ : state) {
        before = read(all[numbers.next() + before]).words[0] & nothing;
    }
    benchmark::DoNotOptimize(before);
}
void write_unique(benchmark::State& state) {
    const Smalls& all = smalls();
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        const std::size_t i = numbers.next();
        *all.hard[i] = Small{{i, i, i, i}};
        benchmark::ClobberMemory();
    }
}
void write_soft(benchmark::State& state) {
    const Smalls& all = smalls();
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        const std::size_t i = numbers.next();
        all.soft[i].write(Small{{i, i, i, i}});
    }
}
using Plain = std::unique_ptr<Small>;
using Soft = soft::unique_ptr<Small>;
BENCHMARK(read_same<Plain>)->Name("8 reads of 32 B, cached/unique_ptr");
BENCHMARK(read_same<Soft>)->Name("8 reads of 32 B, cached/softlib");
BENCHMARK(number_alone)->Name("32 B read, random/number alone");
BENCHMARK(read_random<Plain>)->Name("32 B read, random/unique_ptr");
BENCHMARK(read_random<Soft>)->Name("32 B read, random/softlib");
BENCHMARK(read_in_turn<Plain>)->Name("32 B read, one after the other/unique_ptr");
BENCHMARK(read_in_turn<Soft>)->Name("32 B read, one after the other/softlib");
BENCHMARK(write_unique)->Name("32 B write, random/unique_ptr");
BENCHMARK(write_soft)->Name("32 B write, random/softlib");
BENCHMARK(read_same<Soft>)->Name("8 reads of 32 B, the same objects/softlib")->Threads(2)->UseRealTime();
BENCHMARK(read_own<Soft>)->Name("8 reads of 32 B, objects of its own/softlib")->Threads(2)->UseRealTime();
BENCHMARK(read_random<Soft>)->Name("32 B read, random/softlib")->Threads(2)->UseRealTime();

template <std::size_t bytes>
void copy_block(benchmark::State& state) {
    const auto from = std::make_unique<Block<bytes>>();
    auto to = std::make_unique<Block<bytes>>();
    for ([[maybe_unused]] auto _ : state) {
        std::memcpy(to.get(), from.get(), bytes);
        benchmark::DoNotOptimize(to.get());
        benchmark::ClobberMemory();
    }
}
// Copies into existing memory, like the plain copy: read() would return the object itself, and need a stack for it.
template <std::size_t bytes>
void read_block(benchmark::State& state) {
    soft::detail::TypedPool<Block<bytes>> pool(heap(), "blocks", [] { return Block<bytes>{}; });
    auto to = std::make_unique<Block<bytes>>();
    soft::detail::AtomicWord* entry = pool.new_entry();
    pool.store(entry, to.get(), bytes);
    heap().seal();
    for ([[maybe_unused]] auto _ : state) {
        if (!soft::detail::PoolBase::read_fixed(entry, to.get(), bytes)) {
            state.SkipWithError("the object is gone");
            break;
        }
        benchmark::DoNotOptimize(to.get());
        benchmark::ClobberMemory();
    }
    pool.free_entry(entry);
}
BENCHMARK(copy_block<4096>)->Name("4 KiB read/memcpy");
BENCHMARK(read_block<4096>)->Name("4 KiB read/softlib");
BENCHMARK(copy_block<4 << 20>)->Name("4 MiB read/memcpy");
BENCHMARK(read_block<4 << 20>)->Name("4 MiB read/softlib");

constexpr std::size_t batch = 100'000;
void allocate_unique(benchmark::State& state) {
    std::vector<std::unique_ptr<Small>> made(batch);
    for ([[maybe_unused]] auto _ : state) {
        for (auto& one : made) {
            one = std::make_unique<Small>();
        }
        state.PauseTiming();
        made.clear();
        made.resize(batch);
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}
void allocate_soft(benchmark::State& state) {
    soft::pool<Small> pool(heap(), "made", [] { return Small{}; });
    std::vector<soft::unique_ptr<Small>> made(batch);
    for ([[maybe_unused]] auto _ : state) {
        for (auto& one : made) {
            one = pool.make(Small{});
        }
        state.PauseTiming();
        made.clear();
        made.resize(batch);
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

void make_and_drop_unique(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        const auto one = std::make_unique<Small>();
        benchmark::DoNotOptimize(one.get());
    }
}
void make_and_drop_soft(benchmark::State& state) {
    soft::pool<Small> pool(heap(), "dropped", [] { return Small{}; });
    for ([[maybe_unused]] auto _ : state) {
        auto one = pool.make(Small{});
        benchmark::DoNotOptimize(one);
    }
}
BENCHMARK(make_and_drop_unique)->Name("make and drop 32 B/unique_ptr");
BENCHMARK(make_and_drop_soft)->Name("make and drop 32 B/softlib");

void find_std(benchmark::State& state) {
    std::unordered_map<std::uint64_t, Small> map;
    for (std::uint64_t key = 0; key < objects; ++key) {
        map[key] = Small{{key, 0, 0, 0}};
    }
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        Small copy = map.find(order()[i++ % objects])->second;
        benchmark::DoNotOptimize(copy);
    }
}
void find_soft(benchmark::State& state) {
    soft::unordered_map<std::uint64_t, Small> map(heap(), "map", [](std::uint64_t key) { return Small{{key, 0, 0, 0}}; });
    for (std::uint64_t key = 0; key < objects; ++key) {
        map.insert_or_assign(key, Small{{key, 0, 0, 0}});
    }
    heap().seal();
    // The first read of an object marks it, which the others find.
    for (std::uint64_t key = 0; key < objects; ++key) {
        benchmark::DoNotOptimize(map.find(key));
    }
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        std::optional<Small> copy = map.find(order()[i++ % objects]);
        benchmark::DoNotOptimize(copy);
    }
}
BENCHMARK(find_std)->Name("hash map, hit/std::unordered_map");
BENCHMARK(find_soft)->Name("hash map, hit/softlib");

// The cache that people write themselves.
template <class Value>
class Lru {
public:
    void put(std::uint64_t key, const Value& value) {
        const std::lock_guard guard(mutex_);
        order_.emplace_front(key, value);
        items_[key] = order_.begin();
    }
    std::optional<Value> get(std::uint64_t key) {
        const std::lock_guard guard(mutex_);
        const auto at = items_.find(key);
        if (at == items_.end()) {
            return std::nullopt;
        }
        order_.splice(order_.begin(), order_, at->second);
        return at->second->second;
    }

private:
    std::mutex mutex_;
    std::list<std::pair<std::uint64_t, Value>> order_;
    std::unordered_map<std::uint64_t, typename decltype(order_)::iterator> items_;
};
using PlainLru = Lru<std::string>;
class SoftCache : public soft::cache<std::uint64_t, std::string> {
public:
    static soft::heap& its_heap() { return heap(); }
    SoftCache() : cache(its_heap(), "cache", {}) {}
};
class ToldCache : public soft::cache<std::uint64_t, std::string> {
public:
    static soft::heap& its_heap() { return told_heap(); }
    ToldCache() : cache(its_heap(), "told cache", {}) {}
};
// As many values as there are of 200 B, or 64 MiB of larger ones.
constexpr std::uint64_t values_of(std::size_t bytes) {
    return std::min<std::uint64_t>(cached_values, (64 << 20) / bytes);
}
template <class Cache, std::size_t bytes>
Cache& filled_cache() {
    static auto* const one = [] {
        auto* made = new Cache;
        for (std::uint64_t key = 0; key < values_of(bytes); ++key) {
            made->put(key, std::string(bytes, static_cast<char>('a' + key % 26)));
        }
        if constexpr (requires { Cache::its_heap(); }) {
            Cache::its_heap().seal();
        }
        // As above.
        for (std::uint64_t key = 0; key < values_of(bytes); ++key) {
            benchmark::DoNotOptimize(made->get(key));
        }
        return made;
    }();
    return *one;
}
template <class Cache, std::size_t bytes>
void hit(benchmark::State& state) {
    auto& cache = filled_cache<Cache, bytes>();
    std::size_t i = static_cast<std::size_t>(state.thread_index()) * objects / 2;
    for ([[maybe_unused]] auto _ : state) {
        auto copy = cache.get(order()[i++ % objects] % values_of(bytes));
        benchmark::DoNotOptimize(copy);
    }
}
BENCHMARK(hit<PlainLru, 200>)->Name("cache, hit/mutex and list")->UseRealTime()->ThreadRange(1, 2);
BENCHMARK(hit<SoftCache, 200>)->Name("cache, hit/softlib")->UseRealTime()->ThreadRange(1, 2);
BENCHMARK(hit<ToldCache, 200>)->Name("cache, hit/softlib, told to tmmd")->UseRealTime()->ThreadRange(1, 2);
BENCHMARK(hit<PlainLru, 4096>)->Name("cache, hit of 4 KiB/mutex and list");
BENCHMARK(hit<SoftCache, 4096>)->Name("cache, hit of 4 KiB/softlib");
BENCHMARK(hit<ToldCache, 4096>)->Name("cache, hit of 4 KiB/softlib, told to tmmd");
BENCHMARK(hit<PlainLru, 65536>)->Name("cache, hit of 64 KiB/mutex and list");
BENCHMARK(hit<SoftCache, 65536>)->Name("cache, hit of 64 KiB/softlib");

// A use of a watched key, of as many as there may be.
void sample_use(benchmark::State& state) {
    soft::reuse_sampler sampler;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t key = 0; keys.size() < soft::reuse_sampler::max_watched; ++key) {
        sampler.used(key, 200);
        keys.push_back(key);
    }
    std::shuffle(keys.begin(), keys.end(), std::mt19937(1));
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        sampler.used(keys[i++ % keys.size()], 200);
    }
}
BENCHMARK(sample_use)->Name("sampling, a use");
// Once a second.
void sample_second(benchmark::State& state) {
    soft::reuse_sampler sampler;
    for (std::uint64_t key = 0; key < soft::reuse_sampler::max_watched; ++key) {
        sampler.used(key, 200);
    }
    for ([[maybe_unused]] auto _ : state) {
        sampler.pass(0.001);
        benchmark::DoNotOptimize(sampler.estimate());
    }
}
BENCHMARK(sample_second)->Name("sampling, a second's end");

// What people do with blocks that they have decoded: a list of shared pointers.
class SharedLru {
public:
    using Shared = std::shared_ptr<const std::string>;
    void put(std::uint64_t key, const std::string& value) { values_.put(key, std::make_shared<const std::string>(value)); }
    std::optional<Shared> get(std::uint64_t key) { return values_.get(key); }

private:
    Lru<Shared> values_;
};
class PinnedCache : public SoftCache {
public:
    std::shared_ptr<const std::string> get(std::uint64_t key) { return try_pin(key); }
};
// The 64 values that are read are pinned.
template <class Cache, std::size_t bytes>
void hit_few(benchmark::State& state) {
    auto& cache = filled_cache<Cache, bytes>();
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        auto value = cache.get(order()[i++ % 64] % values_of(bytes));
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(hit_few<SharedLru, 65536>)->Name("cache, 64 values of 64 KiB/mutex and list of shared_ptr");
BENCHMARK(hit_few<SoftCache, 65536>)->Name("cache, 64 values of 64 KiB/softlib");
BENCHMARK(hit_few<PinnedCache, 65536>)->Name("cache, 64 values of 64 KiB/softlib, pinned");

// One of a few objects that are read all the time, of a pool without a cache.
using Texts = soft::pool<std::string>;
using Text = soft::unique_ptr<std::string>;
template <std::size_t bytes, class Read>
void read_texts(benchmark::State& state, Read&& read) {
    Texts texts(heap(), "texts", [] { return std::string(bytes, 'x'); });
    std::vector<Text> all;
    while (all.size() < 8) {
        all.push_back(texts.make(std::string(bytes, 'x')));
    }
    heap().seal();
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        auto text = read(all[i++ % all.size()]);
        benchmark::DoNotOptimize(text);
    }
}
template <std::size_t bytes>
void read_text(benchmark::State& state) {
    read_texts<bytes>(state, [](const Text& text) { return text.read(); });
}
template <std::size_t bytes>
void pin_text(benchmark::State& state) {
    read_texts<bytes>(state, [](const Text& text) { return text.pin(); });
}
BENCHMARK(read_text<64>)->Name("text of 64 B/read");
BENCHMARK(pin_text<64>)->Name("text of 64 B/pin");
BENCHMARK(read_text<512>)->Name("text of 512 B/read");
BENCHMARK(pin_text<512>)->Name("text of 512 B/pin");
BENCHMARK(read_text<4096>)->Name("text of 4 KiB/read");
BENCHMARK(pin_text<4096>)->Name("text of 4 KiB/pin");
BENCHMARK(read_text<65536>)->Name("text of 64 KiB/read");
BENCHMARK(pin_text<65536>)->Name("text of 64 KiB/pin");
BENCHMARK(read_text<1 << 20>)->Name("text of 1 MiB/read");
BENCHMARK(pin_text<1 << 20>)->Name("text of 1 MiB/pin");

// The same from C.
int build_text(void* context, const void* /*argument*/, soft_builder* builder) {
    const auto* text = static_cast<const std::string*>(context);
    return soft_build(builder, text->data(), text->size());
}
template <std::size_t bytes, class Read>
void read_in_c(benchmark::State& state, Read&& read) {
    std::string text(bytes, 'x');
    soft_heap* own = soft_heap_create(64 << 20, 0);
    soft_pool* pool = soft_pool_create(own, "texts", build_text, &text);
    soft_object* object = soft_object_create(pool);
    soft_write(object, text.data(), text.size());
    soft_heap_seal(own);
    for ([[maybe_unused]] auto _ : state) {
        read(object, text);
    }
    soft_object_destroy(object);
    soft_pool_destroy(pool);
    soft_heap_destroy(own);
}
template <std::size_t bytes>
void copy_in_c(benchmark::State& state) {
    read_in_c<bytes>(state, [](soft_object* object, std::string& to) {
        soft_read(object, nullptr, to.data(), to.size(), nullptr);
        benchmark::ClobberMemory();
    });
}
template <std::size_t bytes>
void pin_in_c(benchmark::State& state) {
    read_in_c<bytes>(state, [](soft_object* object, std::string& /*to*/) {
        soft_lease* lease = nullptr;
        soft_pin(object, nullptr, &lease);
        benchmark::DoNotOptimize(soft_lease_bytes(lease, nullptr));
        soft_unpin(lease);
    });
}
BENCHMARK(copy_in_c<512>)->Name("512 B in C/read");
BENCHMARK(pin_in_c<512>)->Name("512 B in C/pin");
BENCHMARK(copy_in_c<4096>)->Name("4 KiB in C/read");
BENCHMARK(pin_in_c<4096>)->Name("4 KiB in C/pin");
BENCHMARK(copy_in_c<65536>)->Name("64 KiB in C/read");
BENCHMARK(pin_in_c<65536>)->Name("64 KiB in C/pin");

void allow_huge_pages(bool allowed) {
    prctl(PR_SET_THP_DISABLE, allowed ? 0 : 1, 0, 0, 0);
}
// The least work of release(), in one call.
template <bool huge_pages>
void give_back_raw(benchmark::State& state) {
    allow_huge_pages(huge_pages);
    const std::size_t bytes = gibibyte / 4;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            state.SkipWithError("no memory");
            break;
        }
        madvise(memory, bytes, MADV_HUGEPAGE);
        std::memset(memory, 1, bytes);
        state.ResumeTiming();
        madvise(memory, bytes, MADV_DONTNEED);
        state.PauseTiming();
        munmap(memory, bytes);
        state.ResumeTiming();
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
    allow_huge_pages(true);
}
BENCHMARK(give_back_raw<false>)->Name("release, small pages/madvise")->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(give_back_raw<true>)->Name("release/madvise")->Iterations(3)->Unit(benchmark::kMillisecond);

// Half a gibibyte in a heap of its own, given back; the time for filling it does not count.
template <bool release, bool huge_pages = true>
void give_back(benchmark::State& state) {
    allow_huge_pages(huge_pages);
    const std::size_t bytes = gibibyte / 2;
    const auto live_of_ten = static_cast<std::size_t>(state.range(0));
    std::size_t given = 0;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        soft::heap own({.limit_bytes = bytes, .background = false});
        {
            soft::pool<Block<1024>> pool(own, "blocks", [] { return Block<1024>{}; });
            std::vector<soft::unique_ptr<Block<1024>>> kept;
            for (std::size_t i = 0; i < bytes / 1100; ++i) {
                auto one = pool.make(Block<1024>{});
                if (i % 10 < live_of_ten) {
                    kept.push_back(std::move(one));
                }
            }
            own.seal();
            state.ResumeTiming();
            given += release ? own.release(bytes / 2) : own.shrink(bytes / 10 * (10 - live_of_ten) / 2);
            state.PauseTiming();
        }
        state.ResumeTiming();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(given));
    allow_huge_pages(true);
}
BENCHMARK(give_back<true, false>)->Name("release, small pages/softlib")->Arg(10)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(give_back<true>)->Name("release/softlib")->Arg(10)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(give_back<false>)->Name("shrink, tenths in use")->Arg(1)->Arg(5)->Arg(9)->Iterations(3)->Unit(benchmark::kMillisecond);

// A source takes a gibibyte of objects that were all read lately, at once or in steps.
void take_back(benchmark::State& state) {
    const auto steps = static_cast<std::size_t>(state.range(0));
    const std::size_t bytes = gibibyte + gibibyte / 4;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        soft::heap own({.limit_bytes = bytes, .background = false});
        {
            soft::pool<Block<1024>> pool(own, "blocks", [] { return Block<1024>{}; });
            std::vector<soft::unique_ptr<Block<1024>>> kept;
            for (std::size_t i = 0; i < bytes / 1100; ++i) {
                kept.push_back(pool.make(Block<1024>{}));
                benchmark::DoNotOptimize(kept.back().read());
            }
            own.seal();
            const std::size_t held = own.statistics().segment_bytes;
            state.ResumeTiming();
            for (std::size_t step = 1; step <= steps; ++step) {
                own.follow(std::make_unique<soft::fixed_budget>(held - gibibyte / steps * step));
            }
            state.PauseTiming();
            state.counters["bytes_left"] = static_cast<double>(own.statistics().segment_bytes);
        }
        state.ResumeTiming();
    }
}
BENCHMARK(take_back)->Name("take back 1 GiB, steps")->Arg(1)->Arg(4)->Iterations(3)->Unit(benchmark::kMillisecond);

void find_out_lost(benchmark::State& state) {
    soft::heap own({.limit_bytes = gibibyte, .background = false});
    soft::pool<Small> pool(own, "lost", [] { return Small{}; });
    std::vector<soft::unique_ptr<Small>> all;
    for (std::size_t i = 0; i < objects; ++i) {
        all.push_back(pool.make(Small{}));
    }
    own.seal();
    own.release(gibibyte);
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(all[order()[i++ % objects]].try_get());
    }
}
BENCHMARK(find_out_lost)->Name("lost object found out");

BENCHMARK(allocate_unique)->Name("allocate 32 B/unique_ptr")->Iterations(20);
BENCHMARK(allocate_soft)->Name("allocate 32 B/softlib")->Iterations(20);

void metadata(benchmark::State& state) {
    soft::heap own({.limit_bytes = gibibyte, .background = false});
    soft::pool<Small> pool(own, "counted", [] { return Small{}; });
    std::vector<soft::unique_ptr<Small>> all;
    for ([[maybe_unused]] auto _ : state) {
        for (std::size_t i = 0; i < objects; ++i) {
            all.push_back(pool.make(Small{}));
        }
    }
    const soft::heap_statistics told = own.statistics();
    const double bytes =
        static_cast<double>(told.segment_bytes + told.metadata_bytes) - static_cast<double>(objects * sizeof(Small));
    state.counters["bytes_an_object"] = bytes / static_cast<double>(objects);
}
BENCHMARK(metadata)->Name("metadata of 32 B objects")->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
