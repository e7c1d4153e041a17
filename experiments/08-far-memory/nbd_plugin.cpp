// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// nbdkit plugin: a disk in a memcached server: nbdkit -U SOCKET ./libmemcached-disk.so server=PATH size=BYTES
#define NBDKIT_API_VERSION 2
#define THREAD_MODEL NBDKIT_THREAD_MODEL_SERIALIZE_REQUESTS
#include <nbdkit-plugin.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "memcached_blocks.hpp"

namespace {

using tmm::peers::MemcachedBlocks;

std::string server;
std::int64_t size;

int set(const char* key, const char* value) {
    if (std::strcmp(key, "server") == 0)
        server = value;
    else if (std::strcmp(key, "size") == 0)
        size = ::nbdkit_parse_size(value);
    else
        ::nbdkit_error("unknown parameter %s", key);
    return std::strcmp(key, "server") == 0 || size > 0 ? 0 : -1;
}

void* open_disk(int) {
    auto* const blocks = new MemcachedBlocks(server.c_str());
    if (blocks->is_connected())
        return blocks;
    ::nbdkit_error("cannot connect to %s", server.c_str());
    delete blocks;
    return nullptr;
}

int failed() {
    ::nbdkit_set_error(EIO);
    return -1;
}

int block_size(void*, std::uint32_t* least, std::uint32_t* preferred, std::uint32_t* most) {
    *least = *preferred = tmm::peers::block_bytes;
    *most = 32 << 20;
    return 0;
}

nbdkit_plugin make_plugin() {
    nbdkit_plugin made{};
    made.name = "memcached-disk";
    made.config = set;
    made.open = open_disk;
    made.close = [](void* handle) { delete static_cast<MemcachedBlocks*>(handle); };
    made.get_size = [](void*) { return size; };
    made.can_multi_conn = [](void*) { return 1; };
    made.block_size = block_size;
    made.pread = [](void* handle, void* to, std::uint32_t bytes, std::uint64_t offset, std::uint32_t) {
        return static_cast<MemcachedBlocks*>(handle)->read(static_cast<char*>(to), bytes, offset) ? 0 : failed();
    };
    made.pwrite = [](void* handle, const void* from, std::uint32_t bytes, std::uint64_t offset, std::uint32_t) {
        return static_cast<MemcachedBlocks*>(handle)->write(static_cast<const char*>(from), bytes, offset) ? 0 : failed();
    };
    return made;
}

nbdkit_plugin plugin = make_plugin();

}  // namespace

NBDKIT_REGISTER_PLUGIN(plugin)
