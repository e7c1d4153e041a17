// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-curves [--traces=DIR] [WORK]: prints how many uses of some work miss, in percent, in heaps of softlib and in an exact LRU
// of the same size; and what is predicted: by softlib's sampler as tmmd reads it, and by a miniature of softlib's own order of
// eviction. All ratios age as the sampler's.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lru_cache.hpp"
#include "miniature.hpp"
#include "program.hpp"
#include "softlib/cache.hpp"
#include "trace_files.hpp"

namespace {

using namespace tmm;
using namespace tmm::soft_memory;

constexpr std::uint64_t mib = 1 << 20;
constexpr int steps = 60;  // of a run; the sampler's half-life is 15
constexpr std::array shares{0.125, 0.25, 0.5, 0.75, 0.9, 1.05, 1.1, 1.2};

struct Case {
    std::string name;
    Work work;
    double size_factor;  // of the bytes of units
    std::size_t uses;
};

// Counts that age with the sampler's.
class MissRatio {
public:
    void count(bool hit) {
        ++uses_;
        misses_ += hit ? 0 : 1;
    }
    void pass() {
        const double kept = std::exp2(-1 / ::soft::reuse_sampler::half_life_s);
        uses_ *= kept;
        misses_ *= kept;
    }
    [[nodiscard]] double percent() const { return 100 * misses_ / uses_; }
    [[nodiscard]] double misses() const { return misses_; }
    [[nodiscard]] double uses() const { return uses_; }

private:
    double uses_ = 0;
    double misses_ = 0;
};

// The sampler's misses as tmmd reads them, of so many uses that age as the sampler's.
double predicted_percent(const ::soft::reuse_sampler& sampler, Bytes heap_bytes, double aged_uses) {
    const auto curve = sampler.estimate();
    core::SoftHeap heap;
    heap.first_uses_per_s = curve.first_uses_per_s;
    heap.reuses_per_s = curve.reuses_per_s;
    const double kept = std::exp2(-1 / ::soft::reuse_sampler::half_life_s);
    const double aged_seconds = kept * (1 - std::pow(kept, steps)) / (1 - kept);
    return 100 * heap.misses_by_curve(heap_bytes) * aged_seconds / aged_uses;
}

void measure(const Case& one) {
    Uses uses(one.work, 1);
    std::vector<std::uint32_t> unit_bytes = uses.bytes_of_units();
    double footprint = 0;
    for (std::uint32_t& bytes : unit_bytes) {
        bytes = std::max<std::uint32_t>(static_cast<std::uint32_t>(bytes * one.size_factor), 16);
        footprint += bytes;
    }
    std::vector<std::uint32_t> order(one.uses);
    for (std::uint32_t& unit : order)
        unit = uses.next();
    for (const double share : shares) {
        const Bytes heap_bytes((static_cast<std::uint64_t>(share * footprint) + mib) / (2 * mib) * (2 * mib));
        ::soft::heap heap({.limit_bytes = heap_bytes.count(), .reserve_bytes = heap_bytes.count()});
        ::soft::cache<std::uint32_t, std::vector<char>> cache(heap, "values", {});
        LruCache lru(unit_bytes);
        lru.resize(heap_bytes.count());
        ::soft::reuse_sampler sampler;
        const double sampled = std::min(1.0, 1024.0 / static_cast<double>(unit_bytes.size()));
        Miniature small(sampled * heap_bytes.as_double());
        MissRatio in_softlib;
        MissRatio in_lru;
        MissRatio in_small;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::uint32_t unit = order[i];
            bool hit = true;
            cache.get_or(unit, [&] {
                hit = false;
                return std::vector<char>(unit_bytes[unit]);
            });
            in_softlib.count(hit);
            in_lru.count(lru.use(unit));
            if (sampler.watches(unit))
                sampler.used(unit, unit_bytes[unit]);
            if (static_cast<double>(::soft::detail::mixed(unit ^ 0x5555)) < sampled * std::exp2(64))
                in_small.count(small.use(unit, unit_bytes[unit]));
            if ((i + 1) % (order.size() / steps) == 0) {
                sampler.pass(1);
                in_softlib.pass();
                in_lru.pass();
                in_small.pass();
            }
        }
        std::printf("%s,%.0f,%llu,%.1f,%.1f,%.1f,%.1f\n", one.name.c_str(), footprint / mib,
                    static_cast<unsigned long long>(heap_bytes.count() / mib), in_softlib.percent(), in_lru.percent(),
                    predicted_percent(sampler, heap_bytes, in_lru.uses()), 100 * in_small.misses() / (sampled * in_lru.uses()));
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    constexpr std::string_view option = "--traces=";
    std::optional<TraceFiles> traces;
    std::string_view wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with(option))
            traces.emplace(std::string(argument.substr(option.size())));
        else
            wanted = argument;
    }
    std::vector<Case> cases{{"zipf 0.7", {Kind::zipf, 2048, 0.7}, 0.0625, 600'000},
                            {"zipf 0.9", {Kind::zipf, 2048, 0.9}, 0.0625, 600'000},
                            {"zipf 1.1", {Kind::zipf, 2048, 1.1}, 0.0625, 600'000},
                            {"loop", {Kind::loop, 2048}, 0.0625, 600'000}};
    if (traces) {
        cases.push_back({"twitter", {.kind = Kind::trace, .trace = &traces->twitter}, 0.0625, traces->twitter.uses.size()});
        cases.push_back(
            {"cloudphysics", {.kind = Kind::trace, .trace = &traces->cloud_physics}, 0.0625, traces->cloud_physics.uses.size()});
    }
    std::printf("work,footprint MiB,heap MiB,softlib,LRU,sampler,miniature\n");
    for (const Case& one : cases) {
        if (wanted.empty() || one.name == wanted)
            measure(one);
    }
}
