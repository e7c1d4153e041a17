// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// store-measures: times and sizes of a ByteStore. Prints CSV lines: measure,parameter,value.
//
//   store-measures speed             ns of a get and a set, by size and threads
//   store-measures memory            bytes an item of 200 B
//   store-measures reclaim GIB       time to give GIB back, fast and carefully, and how long readers wait meanwhile
//   store-measures recovery MIB      hits after 8/15 of MIB were taken, fast and carefully, and requests until they are back
//
// small-pages as the last argument: without huge pages.
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "caches/store/byte_store.hpp"
#include "softlib/heap.hpp"

namespace tmm::caches {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t gibibyte = std::size_t{1} << 30;

double processor_ns() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}
double wall_ns() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void print(const char* measure, const std::string& parameter, double value) {
    std::printf("%s,%s,%.6g\n", measure, parameter.c_str(), value);
    std::fflush(stdout);
}

std::string key_of(std::size_t number) {
    char key[25];
    std::snprintf(key, sizeof key, "key:%016zu", number);
    return key;
}

class Scene {
public:
    explicit Scene(std::size_t limit, double probation = 0.1)
        : heap_({.limit_bytes = limit, .reserve_bytes = limit, .probation = probation}), store_({.heap = heap_}) {}

    void set(std::size_t number, std::size_t bytes) {
        store_.update(key_of(number), ByteStore::Need::nothing, [&](Item*) {
            Put put;
            put.value.reserve(bytes + max_trailer_bytes);
            put.value.append(std::string_view(text_).substr(0, bytes));
            return put;
        });
    }
    bool get(std::size_t number) { return store_.get(key_of(number)).has_value(); }
    void fill(std::size_t items, std::size_t bytes) {
        for (std::size_t i = 0; i < items; ++i) {
            set(i, bytes);
        }
    }
    soft::heap& heap() { return heap_; }
    ByteStore& store() { return store_; }

private:
    const std::string text_ = std::string(mebibyte, 'x');
    soft::heap heap_;
    ByteStore store_;
};

// Processor time of each thread: the machine may be busy.
template <class Operation>
double ns_of(unsigned threads, std::size_t operations, Operation&& operation) {
    std::atomic<double> sum{0};
    std::vector<std::thread> all;
    for (unsigned number = 0; number < threads; ++number) {
        all.emplace_back([&, number] {
            std::minstd_rand random(number + 1);
            const double before = processor_ns();
            for (std::size_t i = 0; i < operations; ++i) {
                operation(random());
            }
            sum.fetch_add(processor_ns() - before);
        });
    }
    for (std::thread& one : all) {
        one.join();
    }
    return sum / static_cast<double>(operations) / threads;
}

void speed() {
    // To subtract: the measured operations make their keys.
    print("key_ns", "", ns_of(1, 1'000'000, [](std::size_t number) {
              const std::string key = key_of(number % 1'000'000);
              asm volatile("" : : "r"(key.data()) : "memory");
          }));
    for (const std::size_t bytes : {std::size_t{200}, std::size_t{5000}, std::size_t{100'000}}) {
        const std::size_t items = std::min<std::size_t>(1'000'000, 512 * mebibyte / bytes);
        Scene scene(gibibyte);
        scene.fill(items, bytes);
        const std::size_t operations = bytes < 1000 ? 1'000'000 : 20'000'000'000 / bytes / 10;
        for (const unsigned threads : {1U, 4U}) {
            const std::string what = std::to_string(bytes) + " B, " + std::to_string(threads) + " threads";
            const auto get_at = [&](std::size_t number) { scene.get(number % items); };
            print("get_ns", what, ns_of(threads, operations / threads, get_at));
            print("set_ns", what,
                  ns_of(threads, operations / threads / 2, [&](std::size_t number) { scene.set(number % items, bytes); }));
        }
    }
}

// memcached 1.6's: 48 bytes of header, 8 of cas, key and zero, value and line end, in a chunk of classes that grow by 1.25; and a
// hash table of 8 bytes a bucket, with 0.75 to 1.5 items each.
double memcached_bytes(std::size_t key, std::size_t value) {
    const double item = static_cast<double>(48 + 8 + key + 1 + value + 2);
    double chunk = 96;
    while (chunk < item) {
        chunk = std::ceil(chunk * 1.25 / 8) * 8;
    }
    return chunk + 8 / 1.06;
}

void memory() {
    for (const std::size_t items : {std::size_t{1'000'000}, std::size_t{1'200'000}, std::size_t{1'500'000}}) {
        Scene scene(gibibyte);
        scene.fill(items, 200);
        scene.heap().seal();
        const double each = static_cast<double>(scene.heap().segment_bytes() + scene.store().ordinary_bytes()) /
                            static_cast<double>(scene.store().statistics().items);
        print("bytes_an_item", std::to_string(items) + " items of 200 B", each);
        print("ordinary_bytes_an_item", std::to_string(items) + " items of 200 B",
              static_cast<double>(scene.store().ordinary_bytes()) / static_cast<double>(items));
    }
    print("memcached_bytes_an_item", "by its formula, key of 20 B", memcached_bytes(20, 200));
}

// How long each get of a reader took, in its own classes of 5 % each.
class Waits {
public:
    void add(double ns) {
        longest_ = std::max(longest_, ns);
        ++counts_[std::min(counts_.size() - 1, static_cast<std::size_t>(std::log(std::max(ns, 1.0)) * 20))];
    }
    [[nodiscard]] double longest() const { return longest_; }
    [[nodiscard]] double quantile(double share) const {
        std::uint64_t all = 0;
        for (const std::uint64_t count : counts_) {
            all += count;
        }
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (static_cast<double>(seen) >= share * static_cast<double>(all)) {
                return std::exp(static_cast<double>(i + 1) / 20);
            }
        }
        return 0;
    }

private:
    double longest_ = 0;
    std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(600);
};

void reclaim(double gib) {
    constexpr std::size_t bytes = 50'000;
    const auto given = static_cast<std::size_t>(gib * static_cast<double>(gibibyte));
    for (const bool is_fast : {true, false}) {
        const std::string what = is_fast ? "fast" : "careful";
        Scene scene(given + given / 4);
        const std::size_t items = (given + given / 8) / bytes;
        scene.fill(items, bytes);
        std::atomic<int> phase{0};
        Waits before;
        Waits during;
        std::thread reader([&] {
            std::minstd_rand random(1);
            for (int now = phase; now < 2; now = phase) {
                const double start = wall_ns();
                // The newest tenth, which stays.
                scene.get(items - 1 - random() % (items / 10));
                const double took = wall_ns() - start;
                (now == 0 && phase == 0 ? before : during).add(took);
            }
        });
        std::this_thread::sleep_for(std::chrono::seconds(1));
        const std::size_t had = scene.heap().segment_bytes();
        phase = 1;
        const double wall = wall_ns();
        const double processor = processor_ns();
        if (is_fast) {
            scene.heap().release(given);
        } else {
            scene.heap().shrink(given);
        }
        const double after = wall_ns();
        print(("given_back_ms_" + what).c_str(), std::to_string(gib) + " GiB", (after - wall) / 1e6);
        print(("given_back_processor_ms_" + what).c_str(), std::to_string(gib) + " GiB", (processor_ns() - processor) / 1e6);
        print(("given_back_gib_" + what).c_str(), "", static_cast<double>(had - scene.heap().segment_bytes()) / gibibyte);
        scene.store().sweep_all(false);
        print(("index_swept_ms_" + what).c_str(), "", (wall_ns() - after) / 1e6);
        phase = 2;
        reader.join();
        print(("reader_p99_us_before_" + what).c_str(), "", before.quantile(0.99) / 1e3);
        print(("reader_p99_us_during_" + what).c_str(), "", during.quantile(0.99) / 1e3);
        print(("reader_longest_us_before_" + what).c_str(), "", before.longest() / 1e3);
        print(("reader_longest_us_during_" + what).c_str(), "", during.longest() / 1e3);
    }
}

class Zipf {
public:
    Zipf(std::size_t items, double alpha) : sums_(items) {
        double sum = 0;
        for (std::size_t i = 0; i < items; ++i) {
            sums_[i] = sum += std::pow(static_cast<double>(i + 1), -alpha);
        }
    }
    std::size_t operator()(std::mt19937& random) const {
        const double at = std::uniform_real_distribution<double>(0, sums_.back())(random);
        return static_cast<std::size_t>(std::lower_bound(sums_.begin(), sums_.end(), at) - sums_.begin());
    }

private:
    std::vector<double> sums_;
};

void recovery(std::size_t mib) {
    constexpr std::size_t bytes = 50'000;
    const std::size_t limit = mib * mebibyte;
    const std::size_t fit = limit / bytes;
    for (const double probation : {0.0, 0.1}) {
        for (const bool is_fast : {true, false}) {
            const std::string what =
                std::string(is_fast ? "fast" : "careful") + (probation > 0 ? ", with probation" : ", without probation");
            Scene scene(limit, probation);
            const Zipf zipf(fit * 2, 0.8);
            std::mt19937 random(1);
            const auto hits = [&](std::size_t requests) {
                std::size_t count = 0;
                for (std::size_t i = 0; i < requests; ++i) {
                    const std::size_t number = zipf(random);
                    if (scene.get(number)) {
                        ++count;
                    } else {
                        scene.set(number, bytes);
                    }
                }
                return static_cast<double>(count) / static_cast<double>(requests);
            };
            hits(fit * 12);
            const double before = hits(fit * 2);
            const std::size_t taken = limit / 15 * 8;
            if (is_fast) {
                scene.heap().release(taken);
            } else {
                scene.heap().shrink(taken);
            }
            scene.store().sweep_all(false);
            print("hits_before", what, before);
            const std::size_t window = fit / 25;
            std::size_t requests = 0;
            double now = hits(window);
            print("hits_right_after", what, now);
            for (requests = window; now < 0.9 * before && requests < 20 * fit; requests += window) {
                now = hits(window);
            }
            print("requests_until_90_percent", what, static_cast<double>(requests));
        }
    }
}

}  // namespace
}  // namespace tmm::caches

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (argc > 2 && std::string_view(argv[argc - 1]) == "small-pages") {
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    }
    if (what == "speed") {
        tmm::caches::speed();
    } else if (what == "memory") {
        tmm::caches::memory();
    } else if (what == "reclaim" && argc > 2) {
        tmm::caches::reclaim(std::atof(argv[2]));
    } else if (what == "recovery" && argc > 2) {
        tmm::caches::recovery(static_cast<std::size_t>(std::atoll(argv[2])));
    } else {
        std::fprintf(stderr, "usage: store-measures speed | memory | reclaim GIB | recovery MIB [small-pages]\n");
        return 2;
    }
    return 0;
}
