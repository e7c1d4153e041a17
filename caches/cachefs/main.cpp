// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-cachefs: reads the command line, mounts, and serves the kernel's requests until it is unmounted.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include "base/log/log.hpp"
#include "base/unique_fd.hpp"
#include "caches/cachefs/blocks/blocks.hpp"
#include "caches/cachefs/calls/file_system.hpp"
#include "caches/cachefs/options.hpp"
#include "caches/cachefs/serving.hpp"
#include "softlib/heap.hpp"

namespace tmm::caches {
namespace {

constexpr int exit_usage = 2;

// Each file that the kernel knows has a descriptor.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// Serves until somebody unmounts it or a signal asks it to end. The heap and its threads begin after the fork to the background.
int serve(fuse_session* session, UniqueFd source, const MountOptions& options, std::unique_ptr<FileSystem>& system) {
    soft::heap& heap = soft::heap::process();
    heap.set_limit(options.memory_bytes);
    Blocks blocks(heap, {.block_bytes = options.block_bytes});
    system = std::make_unique<FileSystem>(std::move(source), blocks,
                                          FileSystemOptions{.max_depth = options.readahead_bytes / options.block_bytes,
                                                            .fetchers = options.fetchers,
                                                            .is_direct = options.is_direct});
    const int code = serve_by_user(session);
    system.reset();
    return code == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int mount_and_serve(const MountOptions& options, const Log& log) {
    // Before the mount, which may hide it.
    UniqueFd source(::open(options.source.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!source) {
        log.error(Error::from_errno(errno, options.source).message());
        return EXIT_FAILURE;
    }
    std::string escaped = options.source;
    std::replace(escaped.begin(), escaped.end(), ',', '?');
    const std::string fuse_options = "fsname=" + escaped + ",subtype=tmm-cachefs,default_permissions" + options.fuse_options;
    const char* arguments[] = {"tmm-cachefs", "-o", fuse_options.c_str(), nullptr};
    fuse_args args{3, const_cast<char**>(arguments), 0};
    std::unique_ptr<FileSystem> system;
    fuse_session* session = fuse_session_new(&args, &FileSystem::operations(), sizeof(fuse_lowlevel_ops), &system);
    fuse_opt_free_args(&args);
    if (session == nullptr) {
        log.error("FUSE does not take the options: " + options.fuse_options);
        return exit_usage;
    }
    int code = EXIT_FAILURE;
    // FUSE says on the standard error what is wrong.
    if (fuse_set_signal_handlers(session) == 0) {
        if (fuse_session_mount(session, options.mount_point.c_str()) == 0) {
            if (fuse_daemonize(options.stays_in_foreground ? 1 : 0) == 0)
                code = serve(session, std::move(source), options, system);
            fuse_session_unmount(session);
        } else {
            log.error(options.mount_point + ": cannot be mounted on");
        }
        fuse_remove_signal_handlers(session);
    }
    fuse_session_destroy(session);
    return code;
}

int run(int argc, char** argv) {
    const Log log("tmm-cachefs", LogLevel::info, false);
    const auto options = parse_mount_options(argc, argv);
    if (!options) {
        log.error(options.error().message() + "; see tmm-cachefs --help");
        return exit_usage;
    }
    switch (options->start) {
        case MountOptions::Start::help:
            std::cout << mount_help_text();
            return EXIT_SUCCESS;
        case MountOptions::Start::version:
            std::cout << "tmm-cachefs " TMM_VERSION "\n";
            return EXIT_SUCCESS;
        case MountOptions::Start::mount:
            break;
    }
    // The kernel applies the caller's.
    ::umask(0);
    raise_descriptor_limit();
    return mount_and_serve(*options, log);
}

}  // namespace
}  // namespace tmm::caches

int main(int argc, char** argv) {
    try {
        return tmm::caches::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "tmm-cachefs: " << error.what() << "\n";
        return EXIT_FAILURE;
    }
}
