// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A block cache over a slow file: Listing 2 of "Midas" (NSDI 2024). It keeps blocks that were read in idle memory, and reads them
// from the file again when the kernel took them. A few blocks are read often and many seldom, as by most programs (Zipf's law).

#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "softlib/array.hpp"

namespace {

constexpr std::size_t block_bytes = 4096;
using Block = std::array<std::byte, block_bytes>;

/// A file that is read in blocks; the last one is filled up with zeros. Thread-safe, as reconstructors must be.
class BlockFile {
public:
    /// `delay`: before each block, to make any disk a slow one.
    BlockFile(std::string path, std::chrono::microseconds delay) : path_(std::move(path)), delay_(delay) {
        fd_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat status {};
        if (fd_ < 0 || fstat(fd_, &status) != 0) {
            const int code = errno;
            close_file();
            throw std::system_error(code, std::generic_category(), path_);
        }
        bytes_ = static_cast<std::size_t>(status.st_size);
    }
    ~BlockFile() { close_file(); }
    BlockFile(const BlockFile&) = delete;
    BlockFile& operator=(const BlockFile&) = delete;

    [[nodiscard]] std::size_t blocks() const { return (bytes_ + block_bytes - 1) / block_bytes; }

    [[nodiscard]] Block read(std::size_t index) const {
        std::this_thread::sleep_for(delay_);
        Block block{};
        const std::size_t from = index * block_bytes;
        const std::size_t wanted = std::min(block_bytes, bytes_ - from);
        for (std::size_t done = 0; done < wanted;) {
            const ssize_t got = pread(fd_, block.data() + done, wanted - done, static_cast<off_t>(from + done));
            if (got == 0) {
                throw std::runtime_error(path_ + " ends at byte " + std::to_string(from + done) + " of " +
                                         std::to_string(bytes_) + ": it became shorter while it was read");
            }
            if (got < 0 && errno != EINTR) {
                throw std::system_error(errno, std::generic_category(), path_ + ", block " + std::to_string(index));
            }
            done += got > 0 ? static_cast<std::size_t>(got) : 0;
        }
        return block;
    }

private:
    void close_file() const {
        if (fd_ >= 0) {
            close(fd_);
        }
    }

    std::string path_;
    std::chrono::microseconds delay_;
    std::size_t bytes_ = 0;
    int fd_ = -1;
};

/// A cache of the file's blocks. Any number of threads may read; if several miss a block at the same time, one reads it from the
/// file. Exceptions of BlockFile reach the reader, and the next one tries again. A cache that also writes must write to the file
/// first: then a block that is read from there is the new one, whatever the kernel takes meanwhile.
class BlockCache {
public:
    BlockCache(soft::heap& heap, const BlockFile& file)
        : blocks_(heap, "blocks", file.blocks(), [&file](std::size_t index) { return file.read(index); }) {}

    [[nodiscard]] Block read(std::size_t index) const { return blocks_.read(index); }
    /// Number of reads that went to the file.
    [[nodiscard]] std::uint64_t rebuilds() const { return blocks_.statistics().rebuilds; }

private:
    soft::array<Block> blocks_;
};

/// Numbers from 0 on; number n comes about half as often as number n / 2. The same at each run.
class Zipf {
public:
    explicit Zipf(std::size_t numbers) : numbers_(numbers) {}
    std::size_t next() {
        const double uniform = std::uniform_real_distribution<double>(0, 1)(random_);
        return std::min(static_cast<std::size_t>(std::pow(static_cast<double>(numbers_) + 1, uniform)) - 1, numbers_ - 1);
    }

private:
    std::size_t numbers_;
    std::mt19937_64 random_;
};

struct Arguments {
    std::string file;
    std::size_t reads = 100'000;
    std::chrono::microseconds delay{0};
    std::size_t limit_bytes = soft::default_limit;
    double lose = 0;
    bool check = false;
};

constexpr const char* usage =
    "Usage: softlib-block-cache [OPTION]... FILE\n"
    "  --reads N        number of blocks to read; default 100000\n"
    "  --delay-us N     delay of each block, in microseconds; default 0\n"
    "  --limit-mib N    memory that the cache may take; default: a quarter of the machine's\n"
    "  --lose P         every 100 reads the kernel takes each page with this probability, 0 to 1; default 0\n"
    "  --check          compare each block with the file\n";

double number(const char* text, double largest) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= largest)) {
        throw std::invalid_argument(std::string("softlib-block-cache: ") + text + " is not a number from 0 to " +
                                    std::to_string(static_cast<std::uint64_t>(largest)) + '\n' + usage);
    }
    return value;
}

Arguments arguments_of(int argc, char** argv) {
    static const option options[] = {
        {"reads", required_argument, nullptr, 'r'},     {"delay-us", required_argument, nullptr, 'd'},
        {"limit-mib", required_argument, nullptr, 'm'}, {"lose", required_argument, nullptr, 'l'},
        {"check", no_argument, nullptr, 'c'},           {}};
    Arguments arguments;
    for (int given = 0; (given = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        switch (given) {
            case 'r':
                arguments.reads = static_cast<std::size_t>(number(optarg, 1e12));
                break;
            case 'd':
                arguments.delay = std::chrono::microseconds(static_cast<std::int64_t>(number(optarg, 1e9)));
                break;
            case 'm':
                arguments.limit_bytes = static_cast<std::size_t>(number(optarg, 1e6)) << 20;
                break;
            case 'l':
                arguments.lose = number(optarg, 1);
                break;
            case 'c':
                arguments.check = true;
                break;
            default:
                throw std::invalid_argument(usage);
        }
    }
    if (optind + 1 != argc) {
        throw std::invalid_argument(usage);
    }
    arguments.file = argv[optind];
    return arguments;
}

int run(const Arguments& arguments) {
    const BlockFile file(arguments.file, arguments.delay);
    if (file.blocks() == 0) {
        throw std::runtime_error(arguments.file + " is empty, or no regular file");
    }
    soft::heap heap({.limit_bytes = arguments.limit_bytes});
    const BlockCache cache(heap, file);
    Zipf zipf(file.blocks());
    for (std::size_t reads = 1; reads <= arguments.reads; ++reads) {
        const std::size_t index = zipf.next();
        const Block block = cache.read(index);
        if (arguments.check && block != file.read(index)) {
            throw std::runtime_error("block " + std::to_string(index) + " is not what the file has");
        }
        if (arguments.lose > 0 && reads % 100 == 0) {
            heap.seal();
            heap.lose_pages(arguments.lose, reads);
        }
    }
    std::printf("blocks: %zu\nreads: %zu\nhits: %zu\nrebuilds: %zu\n", file.blocks(), arguments.reads,
                arguments.reads - cache.rebuilds(), cache.rebuilds());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(arguments_of(argc, argv));
    } catch (const std::invalid_argument& error) {
        std::fputs(error.what(), stderr);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-block-cache: %s\n", error.what());
        return 1;
    }
}
