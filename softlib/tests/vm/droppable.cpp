// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-droppable FOLDER FILES_MB SOFT_MB HOG_MB: would memory that is droppable from the start (MAP_DROPPABLE, Linux 6.11)
// serve segments better than offering them when they are full (MADV_FREE)? Fills so much of either, and of both at once, beside
// files that have been read; then another process takes HOG_MB. Prints for each the time to fill and offer a segment, and the
// pages in a thousand that the memory and the files lost. A small loss of files is good. Not a test: its answer is for
// docs/decisions. Run it in a virtual machine whose memory is too small for HOG_MB.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "softlib/detail/place.hpp"
#include "tests/vm/programs.hpp"

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08
#endif

namespace {

using namespace soft::pressure;
using soft::detail::page_bytes;
using soft::detail::segment_bytes;

struct Kind {
    const char* name;
    bool droppable;
    bool offered;
};
constexpr Kind kinds[] = {{"offered", false, true}, {"droppable", true, false}, {"both", true, true}};

std::byte* map_soft(const Kind& kind, std::size_t bytes) {
    const int type = kind.droppable ? MAP_DROPPABLE : MAP_PRIVATE;
    void* at = mmap(nullptr, bytes + segment_bytes, PROT_READ | PROT_WRITE, type | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        return nullptr;
    }
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(at) % segment_bytes;
    std::byte* from = static_cast<std::byte*>(at) + (beyond == 0 ? 0 : segment_bytes - beyond);
    madvise(from, bytes, MADV_HUGEPAGE);
    return from;
}

// Nanoseconds a segment.
std::uint64_t fill(const Kind& kind, std::byte* soft, std::size_t bytes) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t at = 0; at < bytes; at += segment_bytes) {
        std::memset(soft + at, 1, segment_bytes);
        if (kind.offered && madvise(soft + at, segment_bytes, MADV_FREE) != 0) {
            throw std::runtime_error("the kernel does not take what it is offered");
        }
    }
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    return static_cast<std::uint64_t>(took.count()) / (bytes / segment_bytes);
}

std::uint64_t permille_lost(const std::byte* soft, std::size_t bytes) {
    std::uint64_t lost = 0;
    for (std::size_t at = 0; at < bytes; at += page_bytes) {
        lost += soft[at] == std::byte{0} ? 1 : 0;
    }
    return 1000 * lost / (bytes / page_bytes);
}

// A file that other programs use, as far as it is in memory.
class File {
public:
    File(const std::filesystem::path& folder, std::size_t bytes)
        : path_(folder / "softlib-droppable.data"), bytes_(bytes), fd_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        const std::vector<char> block(mebibyte, 'f');
        for (std::size_t at = 0; at < bytes_; at += block.size()) {
            if (write(fd_, block.data(), block.size()) != static_cast<ssize_t>(block.size())) {
                throw std::runtime_error("cannot write " + path_.string());
            }
        }
        fsync(fd_);
    }
    ~File() {
        close(fd_);
        unlink(path_.c_str());
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// Removes it from memory.
    void drop() const { posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED); }
    void read_all() const {
        std::vector<char> block(mebibyte);
        for (std::size_t at = 0; at < bytes_; at += block.size()) {
            if (pread(fd_, block.data(), block.size(), static_cast<off_t>(at)) <= 0) {
                throw std::runtime_error("cannot read " + path_.string());
            }
        }
    }
    [[nodiscard]] std::uint64_t permille_lost() const {
        void* at = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd_, 0);
        std::vector<unsigned char> there(bytes_ / page_bytes);
        if (at == MAP_FAILED || mincore(at, bytes_, there.data()) != 0) {
            throw std::runtime_error("cannot tell what of the file is in memory");
        }
        munmap(at, bytes_);
        const auto lost = std::count_if(there.begin(), there.end(), [](unsigned char page) { return (page & 1) == 0; });
        return 1000 * static_cast<std::uint64_t>(lost) / there.size();
    }

private:
    std::filesystem::path path_;
    std::size_t bytes_;
    int fd_;
};

// Takes so many megabytes and keeps them until the process ends. Not by malloc(): a compiler leaves out memory that nobody reads.
std::uint64_t take(std::uint64_t megabytes) {
    void* taken = mmap(nullptr, megabytes * mebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return taken != MAP_FAILED ? megabytes : 0;
}

void measure(const Kind& kind, bool files_are_older, const File& file, std::size_t soft_bytes, std::uint64_t hog_mb) {
    Other hog(take);
    std::byte* soft = map_soft(kind, soft_bytes);
    if (soft == nullptr) {
        std::printf("%s: this kernel has no such memory\n", kind.name);
        return;
    }
    const std::string name = std::string(kind.name) + (files_are_older ? "_older_files" : "_newer_files");
    const std::uint64_t huge_pages = vmstat("thp_fault_alloc");
    file.drop();
    if (files_are_older) {
        file.read_all();
    }
    say((name + "_segment_ns").c_str(), fill(kind, soft, soft_bytes));
    say((name + "_huge_pages").c_str(), vmstat("thp_fault_alloc") - huge_pages);
    if (!files_are_older) {
        file.read_all();
    }
    hog.order(hog_mb);
    say((name + "_hog_mb").c_str(), hog.answer());
    say((name + "_files_lost").c_str(), file.permille_lost());
    say((name + "_soft_lost").c_str(), permille_lost(soft, soft_bytes));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fputs("Usage: softlib-droppable FOLDER FILES_MB SOFT_MB HOG_MB\n", stderr);
        return 2;
    }
    try {
        const File file(argv[1], std::strtoull(argv[2], nullptr, 10) * mebibyte);
        const std::size_t soft_bytes = std::max<std::size_t>(std::strtoull(argv[3], nullptr, 10) / 2, 1) * segment_bytes;
        for (const Kind& kind : kinds) {
            for (const bool files_are_older : {true, false}) {
                // A process of its own begins with nothing and leaves nothing.
                const pid_t child = fork();
                if (child == 0) {
                    measure(kind, files_are_older, file, soft_bytes, std::strtoull(argv[4], nullptr, 10));
                    std::fflush(stdout);
                    _exit(0);
                }
                int status = 0;
                if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
                    throw std::runtime_error(std::string("no measurement of ") + kind.name);
                }
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-droppable: %s\n", error.what());
        return 1;
    }
    return 0;
}
