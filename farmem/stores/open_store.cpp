// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/open_store.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "farmem/stores/doubled_store.hpp"
#include "farmem/stores/file_store.hpp"
#include "farmem/stores/memcached_store.hpp"
#include "farmem/stores/memory_store.hpp"

namespace tmm::far {

namespace {

struct Spec {
    bool has_memory = false;
    std::string folder;
    std::vector<std::string> servers;
    std::vector<std::string> copies;
    std::uint64_t max_records = std::numeric_limits<EntryId>::max();
};

Result<Spec> parse_spec(std::string_view text) {
    Spec spec;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        const std::string_view key = part.substr(0, part.find('='));
        const std::string_view value = part.substr(std::min(key.size() + 1, part.size()));
        if (key == "memory" && value.empty()) {
            spec.has_memory = true;
        } else if (key == "file" && !value.empty()) {
            spec.folder = value;
        } else if (key == "memcached" && !value.empty()) {
            spec.servers.emplace_back(value);
        } else if (key == "copy" && !value.empty()) {
            spec.copies.emplace_back(value);
        } else if (const auto bytes = parse_bytes(value); key == "quota" && bytes) {
            spec.max_records = *bytes / page_bytes;
        } else {
            return Error(EINVAL, "'" + std::string(part) + "' is no store (see tmm-far(1))");
        }
    }
    return spec;
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const std::string& text, bool spins) {
    if (text == "none")
        return std::unique_ptr<Store>(std::make_unique<MemoryStore>(0, text));
    const auto spec = parse_spec(text);
    if (!spec)
        return spec.error();
    const bool has_file = !spec->folder.empty();
    const bool has_copies = !spec->copies.empty();
    if (spec->has_memory && !has_file && spec->servers.empty() && !has_copies)
        return std::unique_ptr<Store>(std::make_unique<MemoryStore>(spec->max_records));
    if (spec->has_memory || has_file == has_copies || (has_copies && spec->servers.empty()))
        return Error(
            EINVAL,
            "a store is memory, file=FOLDER, or memcached=SERVER with file=FOLDER or copy=SERVER, which keeps what servers lose");
    if (has_copies) {
        for (const std::string& copy : spec->copies) {
            if (std::find(spec->servers.begin(), spec->servers.end(), copy) != spec->servers.end())
                return Error(EINVAL, copy + " cannot keep both copies of a page");
        }
        auto first = MemcachedStore::make(spec->servers, spins);
        if (!first)
            return std::move(first).error();
        auto second = MemcachedStore::make(spec->copies, spins);
        if (!second)
            return std::move(second).error();
        return std::unique_ptr<Store>(std::make_unique<DoubledStore>(std::move(*first), std::move(*second)));
    }
    auto file = FileStore::make(spec->folder, spec->max_records);
    if (!file)
        return std::move(file).error();
    if (spec->servers.empty())
        return std::unique_ptr<Store>(std::move(*file));
    auto memcached = MemcachedStore::make(spec->servers, spins);
    if (!memcached)
        return std::move(memcached).error();
    return std::unique_ptr<Store>(std::make_unique<DoubledStore>(std::move(*memcached), std::move(*file)));
}

}  // namespace tmm::far
