// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// store-trace: the misses of a ByteStore under a recorded trace.
//
// store-trace TRACE.csv SHARE SCALE PROBATION drives a store as a program would that puts what it misses. The trace is one of
// libCacheSim's: of Twitter (time, object, size, ...) or of CloudPhysics (version, time, operation, size, block). An object has
// the size of its first request, times SCALE. The heap's limit is SHARE of the footprint of all objects. Prints requests,
// objects, limit and misses as CSV.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caches/store/byte_store.hpp"
#include "softlib/heap.hpp"

namespace tmm::caches {
namespace {

struct Trace {
    std::vector<std::uint64_t> requests;
    std::unordered_map<std::uint64_t, std::size_t> sizes;
};

std::uint64_t number_in(std::string_view text) {
    const std::size_t from = text.find_first_not_of(' ');
    std::uint64_t number = 0;
    if (from != std::string_view::npos) {
        std::from_chars(text.data() + from, text.data() + text.size(), number);
    }
    return number;
}

Trace read_trace(const char* path) {
    Trace trace;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    const bool is_twitter = line.find("object") != std::string::npos;
    while (std::getline(file, line)) {
        std::vector<std::string_view> fields;
        for (std::string_view rest = line;;) {
            const std::size_t comma = rest.find(',');
            fields.push_back(rest.substr(0, comma));
            if (comma == std::string_view::npos) {
                break;
            }
            rest.remove_prefix(comma + 1);
        }
        if (fields.size() < (is_twitter ? 3U : 5U)) {
            continue;
        }
        const std::uint64_t object = number_in(fields[is_twitter ? 1 : 4]);
        trace.requests.push_back(object);
        trace.sizes.emplace(object, number_in(fields[is_twitter ? 2 : 3]));
    }
    return trace;
}

int run(const char* path, double share, std::size_t scale, double probation) {
    const Trace trace = read_trace(path);
    std::size_t footprint = 0;
    for (const auto& [object, size] : trace.sizes) {
        footprint += size * scale;
    }
    const auto limit = static_cast<std::size_t>(share * static_cast<double>(footprint));
    soft::heap heap({.limit_bytes = limit, .probation = probation, .background = false});
    std::uint32_t now = 1;
    ByteStore store({.heap = heap, .now = [&] { return now; }, .secret = HashSecret{1, 2}});
    const std::string zeros(std::size_t{8} << 20, 'x');
    std::uint64_t misses = 0;
    std::uint64_t wrong = 0;
    for (const std::uint64_t object : trace.requests) {
        char key[sizeof object];
        std::memcpy(key, &object, sizeof key);
        const std::string_view name(key, sizeof key);
        // With its key, which is part of an object's size.
        const std::size_t with_key = trace.sizes.at(object) * scale;
        const std::size_t bytes = std::min(zeros.size(), with_key > sizeof key ? with_key - sizeof key : 1);
        if (const std::optional<Item> item = store.get(name)) {
            wrong += item->value.size() == bytes ? 0 : 1;
            continue;
        }
        ++misses;
        store.update(name, ByteStore::Need::nothing,
                     [&](Item*) { return Put{.value = Buffer(std::string_view(zeros).substr(0, bytes), max_trailer_bytes)}; });
    }
    const soft::heap_statistics of_heap = heap.statistics();
    std::printf(
        "trace,share,scale,probation,requests,objects,limit_bytes,misses,miss_ratio,moved_objects,ordinary_bytes,items\n");
    const char* name = std::strrchr(path, '/');
    std::printf("%s,%g,%zu,%g,%zu,%zu,%zu,%llu,%.4f,%llu,%zu,%zu\n", name != nullptr ? name + 1 : path, share, scale, probation,
                trace.requests.size(), trace.sizes.size(), limit, static_cast<unsigned long long>(misses),
                static_cast<double>(misses) / static_cast<double>(trace.requests.size()),
                static_cast<unsigned long long>(of_heap.moved_objects), store.ordinary_bytes(), store.statistics().items);
    return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tmm::caches

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: store-trace TRACE.csv SHARE SCALE PROBATION\n");
        return 2;
    }
    return tmm::caches::run(argv[1], std::atof(argv[2]), static_cast<std::size_t>(std::atoll(argv[3])), std::atof(argv[4]));
}
