// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls about extended attributes: those of the store, and the counts at the root.
#include <sys/xattr.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "caches/cachefs/calls/calls.hpp"

namespace tmm::caches {
namespace {

std::string statistics(FileSystem& system) {
    const BlockStatistics counts = system.blocks().statistics();
    std::string text;
    for (const auto& [name, value] : {std::pair<const char*, std::uint64_t>{"hits", counts.hits},
                                      {"joined", counts.joined},
                                      {"fetched", counts.fetched},
                                      {"ahead", counts.ahead},
                                      {"changed", counts.changed},
                                      {"bytes", counts.bytes}})
        text += std::string(name) + " " + std::to_string(value) + "\n";
    return text;
}

void reply_sized(fuse_req_t request, std::size_t size, const std::string& value) {
    if (size == 0)
        fuse_reply_xattr(request, value.size());
    else if (size < value.size())
        reply(request, ERANGE);
    else
        fuse_reply_buf(request, value.data(), value.size());
}

void getxattr(fuse_req_t request, fuse_ino_t number, const char* name, std::size_t size) {
    with(request, number, [&](FileSystem& system, const auto& inode) {
        if (number == Inodes::root && std::strcmp(name, statistics_attribute) == 0)
            return reply_sized(request, size, statistics(system));
        std::string value(size, '\0');
        const ssize_t got = ::getxattr(path_of(inode->descriptor).c_str(), name, value.data(), size);
        // The kernel lets nobody in where it cannot read a list. A store that knows none has none.
        if (got < 0 && errno == EOPNOTSUPP && std::string_view(name).starts_with("system.posix_acl_"))
            return reply(request, ENODATA);
        if (got < 0)
            return reply(request, errno);
        if (size == 0)
            fuse_reply_xattr(request, static_cast<std::size_t>(got));
        else
            fuse_reply_buf(request, value.data(), static_cast<std::size_t>(got));
    });
}

void listxattr(fuse_req_t request, fuse_ino_t number, std::size_t size) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        std::string names(size, '\0');
        const ssize_t got = ::listxattr(path_of(inode->descriptor).c_str(), names.data(), size);
        if (got < 0)
            return reply(request, errno);
        if (size == 0)
            fuse_reply_xattr(request, static_cast<std::size_t>(got));
        else
            fuse_reply_buf(request, names.data(), static_cast<std::size_t>(got));
    });
}

void setxattr(fuse_req_t request, fuse_ino_t number, const char* name, const char* value, std::size_t size, int flags) {
    with(request, number, [&](FileSystem&, const auto& inode) {
        reply_result(request, ::setxattr(path_of(inode->descriptor).c_str(), name, value, size, flags));
    });
}

void removexattr(fuse_req_t request, fuse_ino_t number, const char* name) {
    with(request, number,
         [&](FileSystem&, const auto& inode) { reply_result(request, ::removexattr(path_of(inode->descriptor).c_str(), name)); });
}

}  // namespace

void add_extended_attribute_calls(fuse_lowlevel_ops& calls) {
    calls.getxattr = getxattr;
    calls.listxattr = listxattr;
    calls.setxattr = setxattr;
    calls.removexattr = removexattr;
}

}  // namespace tmm::caches
