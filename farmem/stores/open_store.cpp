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
        } else if (const auto bytes = parse_bytes(value); key == "quota" && bytes) {
            spec.max_records = *bytes / page_bytes;
        } else {
            return Error(EINVAL, "'" + std::string(part) + "' is no store (see tmm-far(1))");
        }
    }
    return spec;
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const std::string& text) {
    const auto spec = parse_spec(text);
    if (!spec)
        return spec.error();
    const bool has_file = !spec->folder.empty();
    if (spec->has_memory && !has_file && spec->servers.empty())
        return std::unique_ptr<Store>(std::make_unique<MemoryStore>(spec->max_records));
    if (spec->has_memory || !has_file)
        return Error(EINVAL,
                     "a store is memory, file=FOLDER, or memcached=SERVER with file=FOLDER, which keeps what servers lose");
    auto file = FileStore::make(spec->folder, spec->max_records);
    if (!file)
        return std::move(file).error();
    if (spec->servers.empty())
        return std::unique_ptr<Store>(std::move(*file));
    auto memcached = MemcachedStore::make(spec->servers);
    if (!memcached)
        return std::move(memcached).error();
    return std::unique_ptr<Store>(std::make_unique<DoubledStore>(std::move(*memcached), std::move(*file)));
}

}  // namespace tmm::far
