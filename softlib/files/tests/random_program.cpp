// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Does what a seed says with some files, and prints what each call returned, which bytes it read and where the descriptor is
// then. The output is the same with and without the library preloaded. Usage: files_random SEED, in an empty directory.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "softlib/heap.hpp"

namespace {

constexpr std::size_t max_bytes = 300'000;
std::array<unsigned char, max_bytes> buffer;

std::uint64_t state;
std::uint64_t below(std::uint64_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545f4914f6cdd1dU >> 20) % limit;
}

std::array<int, 6> slots;
int& slot() {
    return slots[below(slots.size())];
}
std::string path() {
    return (below(4) == 0 ? "l" : "f") + std::to_string(below(3));
}
// Some small, some large, often at the bounds of blocks and pages.
std::size_t amount() {
    switch (below(4)) {
        case 0:
            return below(100);
        case 1:
            return 4096 * below(20);
        case 2:
            return 65536 * below(4) + below(3);
        default:
            return below(max_bytes);
    }
}

void say(const char* what, long long result, int error) {
    printf("%s %lld %d\n", what, result, result < 0 ? error : 0);
}
void say_bytes(const char* what, int fd, const void* at, ssize_t result) {
    const int error = errno;
    std::uint64_t hash = 1469598103934665603U;
    for (ssize_t i = 0; i < result; ++i) {
        hash = (hash ^ static_cast<const unsigned char*>(at)[i]) * 1099511628211U;
    }
    printf("%s %zd %d %jx at %lld\n", what, result, result < 0 ? error : 0, static_cast<std::uintmax_t>(hash),
           static_cast<long long>(lseek(fd, 0, SEEK_CUR)));
}

// The clock of these tests does not wait until a file is settled: each change gets a time of its own.
void mark_changed(const char* file, std::uint64_t when) {
    const timespec times[] = {{0, UTIME_OMIT}, {static_cast<time_t>(when), 0}};
    utimensat(AT_FDCWD, file, times, 0);
}
std::uint64_t changes = 0;
void mark_changed(int fd) {
    const timespec times[] = {{0, UTIME_OMIT}, {static_cast<time_t>(++changes), 0}};
    futimens(fd, times);
}
void fill_buffer(std::size_t bytes) {
    const std::uint64_t from = below(1000);
    for (std::size_t i = 0; i < bytes; ++i) {
        buffer[i] = static_cast<unsigned char>(from + i * 7 + i / 251);
    }
}
void wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
    }
    say("child", status, 0);
}

void make_file(const std::string& name) {
    const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const std::size_t bytes = amount();
    fill_buffer(bytes);
    say("make", write(fd, buffer.data(), bytes), errno);
    mark_changed(fd);
    close(fd);
}

void open_reader() {
    int& fd = slot();
    close(fd);
    fd = below(2) == 0 ? open(path().c_str(), O_RDONLY | O_CLOEXEC) : openat(AT_FDCWD, path().c_str(), O_RDONLY | O_NOFOLLOW);
    say("open", fd < 0 ? -1 : 0, errno);
}
void open_writer() {
    const int flags[] = {O_RDWR, O_WRONLY, O_RDWR | O_APPEND, O_WRONLY | O_TRUNC, O_RDWR | O_CREAT};
    int& fd = slot();
    close(fd);
    const int chosen = flags[below(5)];
    fd = open(path().c_str(), chosen, 0600);
    say("open to write", fd < 0 ? -1 : 0, errno);
    if ((chosen & O_TRUNC) != 0) {
        mark_changed(fd);
    }
}
void read_here() {
    const int fd = slot();
    const std::size_t bytes = amount();
    say_bytes("read", fd, buffer.data(), read(fd, buffer.data(), bytes));
}
void read_there() {
    const int fd = slot();
    const std::size_t bytes = amount();
    const off_t offset = static_cast<off_t>(amount()) - (below(20) == 0 ? 100 : 0);
    say_bytes("pread", fd, buffer.data(), pread(fd, buffer.data(), bytes, offset));
}
// Not to be seen by the compiler, which would warn.
volatile int too_many = 5000;
volatile std::size_t too_much = SIZE_MAX;
char* volatile nowhere = nullptr;

void read_parts() {
    const int fd = slot();
    const std::size_t first = amount();
    const iovec parts[] = {{buffer.data(), first}, {buffer.data(), 0}, {buffer.data() + first, below(max_bytes - first + 1)}};
    const auto offset = static_cast<off_t>(amount());
    switch (below(5)) {
        case 0:
            say_bytes("readv", fd, buffer.data(), readv(fd, parts, 3));
            break;
        case 1:
            say_bytes("preadv", fd, buffer.data(), preadv(fd, parts, 3, offset));
            break;
        case 2:
            say_bytes("preadv2", fd, buffer.data(), preadv2(fd, parts, 3, offset, 0));
            break;
        case 3:
            say_bytes("preadv2 here", fd, buffer.data(), preadv2(fd, parts, 3, -1, 0));
            break;
        default:
            say("readv of too many", readv(fd, parts, too_many), errno);
    }
}
void read_all() {
    const int fd = slot();
    say("rewind", lseek(fd, 0, SEEK_SET), errno);
    for (ssize_t got = 1; got > 0;) {
        got = read(fd, buffer.data(), 50'000);
        say_bytes("read on", fd, buffer.data(), got);
    }
}
// Wrong sizes, and memory that is not there or may not be written to.
void read_badly() {
    static auto* const pages =
        static_cast<unsigned char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    static const int protected_page = mprotect(pages + 4096, 4096, below(2) == 0 ? PROT_NONE : PROT_READ);
    const int fd = slot();
    const auto offset = static_cast<off_t>(amount());
    switch (below(6)) {
        case 0:
            say("to a page that is not writable", pread(fd, pages + 4096, 100, offset) + protected_page, errno);
            break;
        case 1:
            say_bytes("to half a page", fd, pages + 3000, read(fd, pages + 3000, 4096));
            break;
        case 2:
            say("to nowhere", pread(fd, nowhere, 100, offset), errno);
            break;
        case 3:
            say("parts nowhere", readv(fd, reinterpret_cast<iovec*>(nowhere), 2), errno);
            break;
        case 4:
            say("too much", pread(fd, buffer.data(), too_much, offset), errno);
            break;
        default:
            say_bytes("nothing", fd, buffer.data(), read(fd, buffer.data(), 0));
    }
}
void write_here() {
    const int fd = slot();
    const std::size_t bytes = amount() / 4;
    fill_buffer(bytes);
    const ssize_t done =
        below(2) == 0 ? write(fd, buffer.data(), bytes) : pwrite(fd, buffer.data(), bytes, static_cast<off_t>(amount()));
    say("write", done, errno);
    if (done > 0) {
        mark_changed(fd);
    }
}
void seek() {
    const int fd = slot();
    const int whence = static_cast<int>(below(3));
    say("seek", lseek(fd, static_cast<off_t>(amount()) - (whence == SEEK_SET ? 0 : 100'000), whence), errno);
}
void duplicate() {
    const int fd = slot();
    int& other = slot();
    if (fd == other) {
        return;
    }
    if (below(2) == 0 && fd >= 0 && other >= 0) {
        say("dup2", dup2(fd, other) < 0 ? -1 : 0, errno);
        return;
    }
    close(other);
    other = below(2) == 0 ? dup(fd) : fcntl(fd, F_DUPFD_CLOEXEC, 10);
    say("dup", other < 0 ? -1 : 0, errno);
}
void cut() {
    const std::string name = path();
    say("truncate", truncate(name.c_str(), static_cast<off_t>(amount())), errno);
    mark_changed(name.c_str(), ++changes);
}
void replace() {
    make_file("new");
    say("rename", rename("new", path().c_str()), errno);
}
void make_link() {
    const std::string number = std::to_string(below(3));
    unlink(("l" + number).c_str());
    say("link", link(("f" + number).c_str(), ("l" + number).c_str()), errno);
}
// Through a mapping that stays for a while. A descriptor for reading tells whether the file is still as long.
void map_and_write() {
    static unsigned char* mapped = nullptr;
    static int file = -1;
    struct stat status {};
    if (mapped == nullptr) {
        const std::string name = path();
        const int fd = open(name.c_str(), O_RDWR);
        if (fstat(fd, &status) == 0 && status.st_size > 4096) {
            mapped = static_cast<unsigned char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
            file = open(name.c_str(), O_RDONLY);
        }
        close(fd);
    } else if (fstat(file, &status) == 0 && status.st_size >= 4096 && below(6) > 0) {
        mapped[below(4096)] ^= 0x55;
    } else {
        munmap(mapped, 4096);
        mapped = nullptr;
        close(file);
    }
}
// Through stdio, whose calls nobody sees.
void print_into() {
    const std::string name = path();
    FILE* file = fopen(name.c_str(), "r+");
    if (file != nullptr) {
        fseek(file, static_cast<long>(amount()), SEEK_SET);
        fprintf(file, "printed %ju\n", static_cast<std::uintmax_t>(changes));
        fclose(file);
        mark_changed(name.c_str(), ++changes);
    }
}
// Makes a descriptor another one, by calls that nobody sees.
void replace_descriptor() {
    const int flags[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDONLY | O_DIRECT, O_PATH};
    const int fd = slot();
    const int other = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path().c_str(), flags[below(5)]));
    if (fd >= 0 && other >= 0) {
        say("replaced", syscall(SYS_dup3, other, fd, 0) < 0 ? -1 : 0, errno);
    }
    syscall(SYS_close, other);
}
void write_elsewhere() {
    const std::string name = path();
    const auto offset = static_cast<off_t>(amount());
    const std::size_t bytes = amount() / 4;
    fill_buffer(bytes);
    ++changes;
    const pid_t child = fork();
    if (child == 0) {
        const int fd = open(name.c_str(), O_WRONLY);
        const bool written = pwrite(fd, buffer.data(), bytes, offset) == static_cast<ssize_t>(bytes);
        mark_changed(name.c_str(), changes);
        _exit(written ? 0 : 1);
    }
    wait_for(child);
}
// In a child, which shares the position.
void read_elsewhere() {
    const int fd = slot();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; ++i) {
            say_bytes("a child's read", fd, buffer.data(), read(fd, buffer.data(), 1000));
        }
        fflush(stdout);
        _exit(0);
    }
    wait_for(child);
    say_bytes("and after it", fd, buffer.data(), read(fd, buffer.data(), 1000));
}
// Has its parent's memory, but descriptors of its own.
void close_elsewhere() {
    const int fd = slot();
    const pid_t child = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork): that is what is tested
    if (child == 0) {
        close(fd);  // NOLINT(clang-analyzer-unix.Vfork)
        _exit(open("f0", O_RDWR) < 0 ? 1 : 0);
    }
    wait_for(child);
}
void lose() {
    soft::heap::process().seal();
    soft::heap::process().lose_pages(below(2) == 0 ? 0.05 : 0.5, below(1000));
}

struct Deed {
    void (*function)();
    unsigned weight;
};
constexpr Deed deeds[] = {{open_reader, 14},
                          {open_writer, 3},
                          {read_here, 20},
                          {read_there, 30},
                          {read_parts, 10},
                          {read_all, 10},
                          {read_badly, 4},
                          {write_here, 4},
                          {seek, 6},
                          {duplicate, 3},
                          {cut, 1},
                          {replace, 2},
                          {make_link, 1},
                          {map_and_write, 3},
                          {print_into, 1},
                          {write_elsewhere, 1},
                          {read_elsewhere, 2},
                          {close_elsewhere, 1},
                          {replace_descriptor, 4},
                          {lose, 2}};

void do_something() {
    std::uint64_t pick = below(122);
    for (const Deed& deed : deeds) {
        if (pick < deed.weight) {
            deed.function();
            return;
        }
        pick -= deed.weight;
    }
}

}  // namespace

int main(int, char** arguments) {
    state = std::strtoull(arguments[1], nullptr, 10) * 0x9e3779b97f4a7c15U | 1U;
    soft::heap::process().follow(std::make_unique<soft::fixed_budget>(std::size_t{64} << 20));
    slots.fill(-1);
    for (const char* name : {"f0", "f1", "f2"}) {
        make_file(name);
    }
    for (int i = 0; i < 1500; ++i) {
        do_something();
    }
    return 0;
}
