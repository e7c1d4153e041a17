// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MemcachedBlocks: a disk whose blocks are items of a memcached server on a Unix socket, for the peers that swap to it. A block
// that was never written reads as zeros. The server must not evict (-M). Of one thread.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace tmm::peers {

inline constexpr std::size_t block_bytes = 4096;

class MemcachedBlocks {
public:
    explicit MemcachedBlocks(const char* path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (socket >= 0 && ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
            in_ = ::fdopen(socket, "r");
        else if (socket >= 0)
            ::close(socket);
    }
    ~MemcachedBlocks() {
        if (in_)
            std::fclose(in_);
    }
    MemcachedBlocks(const MemcachedBlocks&) = delete;
    MemcachedBlocks& operator=(const MemcachedBlocks&) = delete;

    [[nodiscard]] bool is_connected() const { return in_ != nullptr; }

    // bytes, offset: of whole blocks. Returns false if the server fails.
    [[nodiscard]] bool read(char* to, std::size_t bytes, std::uint64_t offset) {
        out_ = "get";
        for (std::size_t at = 0; at < bytes; at += block_bytes)
            out_ += " b" + std::to_string((offset + at) / block_bytes);
        out_ += "\r\n";
        std::memset(to, 0, bytes);
        char line[128];
        if (!send())
            return false;
        while (std::fgets(line, sizeof line, in_)) {
            unsigned long long block = 0;
            if (std::strcmp(line, "END\r\n") == 0)
                return true;
            if (std::sscanf(line, "VALUE b%llu 0 4096", &block) != 1)
                return false;
            char end[2];
            if (std::fread(to + (block * block_bytes - offset), block_bytes, 1, in_) != 1 ||
                std::fread(end, sizeof end, 1, in_) != 1)
                return false;
        }
        return false;
    }

    [[nodiscard]] bool write(const char* from, std::size_t bytes, std::uint64_t offset) {
        out_.clear();
        for (std::size_t at = 0; at < bytes; at += block_bytes) {
            out_ += "set b" + std::to_string((offset + at) / block_bytes) + " 0 0 4096\r\n";
            out_.append(from + at, block_bytes);
            out_ += "\r\n";
        }
        bool is_stored = send();
        char line[128];
        for (std::size_t at = 0; is_stored && at < bytes; at += block_bytes)
            is_stored = std::fgets(line, sizeof line, in_) && std::strcmp(line, "STORED\r\n") == 0;
        return is_stored;
    }

private:
    [[nodiscard]] bool send() const {
        for (std::size_t sent = 0; sent < out_.size();) {
            const ssize_t bytes = ::send(::fileno(in_), out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
            if (bytes <= 0)
                return false;
            sent += static_cast<std::size_t>(bytes);
        }
        return true;
    }

    std::FILE* in_ = nullptr;
    std::string out_;
};

}  // namespace tmm::peers
