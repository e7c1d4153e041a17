// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-blocks: a plugin for nbdkit that serves a file and keeps its blocks of 64 KiB in soft memory. The file is read with
// O_DIRECT where that is possible, so that soft memory is the only cache.
//
//   nbdkit ./libsoft-blocks.so file=DISK [progress=FILE]
#define NBDKIT_API_VERSION 2
#include <fcntl.h>
#include <nbdkit-plugin.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "progress.hpp"
#include "softlib/cache.hpp"

namespace {

constexpr std::size_t block_bytes = 64 << 10;
using Block = std::vector<char>;

// One file for the whole server.
struct Server {
    std::string path;
    std::string progress_path = "/dev/null";
    int file = -1;
    std::int64_t bytes = 0;
    // Made after nbdkit has forked.
    std::unique_ptr<soft::cache<std::uint64_t, Block>> blocks;
    std::FILE* progress_file = nullptr;
    std::unique_ptr<tmm::soft_memory::Progress> progress;
};
Server server;

struct Free {
    void operator()(void* memory) const { std::free(memory); }
};

// The end of a file that ends within a block is zeros. Throws std::system_error.
Block read_block(std::uint64_t number) {
    const std::unique_ptr<void, Free> aligned(std::aligned_alloc(4096, block_bytes));
    if (!aligned)
        throw std::system_error(ENOMEM, std::generic_category());
    std::memset(aligned.get(), 0, block_bytes);
    if (::pread(server.file, aligned.get(), block_bytes, static_cast<off_t>(number * block_bytes)) < 0)
        throw std::system_error(errno, std::generic_category());
    const char* const first = static_cast<const char*>(aligned.get());
    return {first, first + block_bytes};
}

int config(const char* key, const char* value) {
    if (std::strcmp(key, "file") == 0) {
        char* const path = nbdkit_absolute_path(value);
        server.path = path != nullptr ? path : "";
        std::free(path);
    } else if (std::strcmp(key, "progress") == 0) {
        char* const path = nbdkit_absolute_path(value);
        server.progress_path = path != nullptr ? path : "";
        std::free(path);
    } else {
        nbdkit_error("unknown parameter '%s'", key);
        return -1;
    }
    return 0;
}

int after_fork() {
    server.file = ::open(server.path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
    if (server.file < 0 && errno == EINVAL)
        server.file = ::open(server.path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (server.file < 0 || ::fstat(server.file, &status) != 0) {
        nbdkit_error("cannot open '%s': %m", server.path.c_str());
        return -1;
    }
    server.bytes = status.st_size;
    server.progress_file = std::fopen(server.progress_path.c_str(), "w");
    if (server.progress_file == nullptr) {
        nbdkit_error("cannot write '%s': %m", server.progress_path.c_str());
        return -1;
    }
    server.blocks = std::make_unique<soft::cache<std::uint64_t, Block>>("blocks", soft::cache_options{});
    server.progress = std::make_unique<tmm::soft_memory::Progress>("block-server", server.progress_file);
    return 0;
}

void cleanup() {
    server.progress.reset();
    server.blocks.reset();
}

void* open_connection(int /*is_readonly*/) {
    return NBDKIT_HANDLE_NOT_NEEDED;
}

std::int64_t get_size(void* /*handle*/) {
    return server.bytes;
}

int can_multi_conn(void* /*handle*/) {
    return 1;
}

int pread_bytes(void* /*handle*/, void* to, std::uint32_t count, std::uint64_t offset, std::uint32_t /*flags*/) {
    char* out = static_cast<char*>(to);
    try {
        while (count > 0) {
            const std::uint64_t number = offset / block_bytes;
            const std::size_t from = offset % block_bytes;
            const std::size_t part = std::min<std::size_t>(count, block_bytes - from);
            const Block block =
                server.blocks->get_or(number, [&] { return server.progress->rebuild([&] { return read_block(number); }); });
            out = std::copy_n(block.data() + from, part, out);
            offset += part;
            count -= static_cast<std::uint32_t>(part);
        }
        server.progress->request();
        return 0;
    } catch (const std::system_error& error) {
        nbdkit_set_error(error.code().value());
    } catch (const std::exception& error) {
        nbdkit_error("%s", error.what());
        nbdkit_set_error(ENOMEM);
    }
    return -1;
}

nbdkit_plugin make_plugin() {
    nbdkit_plugin plugin{};
    plugin.name = "soft-blocks";
    plugin.description = "serves a file and caches its blocks in soft memory";
    plugin.config = config;
    plugin.config_help = "file=FILE (required); progress=FILE";
    plugin.magic_config_key = "file";
    plugin.after_fork = after_fork;
    plugin.cleanup = cleanup;
    plugin.open = open_connection;
    plugin.get_size = get_size;
    plugin.can_multi_conn = can_multi_conn;
    plugin.pread = pread_bytes;
    return plugin;
}

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
nbdkit_plugin plugin = make_plugin();

}  // namespace

NBDKIT_REGISTER_PLUGIN(plugin)
