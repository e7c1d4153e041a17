// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// link-disk FOLDER BYTES BYTES_PER_S LATENCY_US: mounts a file there, disk, in memory behind a link as that of tmm-fard. A loop
// device makes it a disk to swap to, where the kernel has no driver nbd.
//
// Each direction carries so many bytes a second, one request after the other. What is read arrives that much later: a request's
// last page, as each of tmm-fard's pages, its latency after its turn.
#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::size_t page_bytes = 4096;
constexpr fuse_ino_t root = FUSE_ROOT_ID;
constexpr fuse_ino_t disk = 2;
constexpr unsigned nr_requests = 4096;  // More than the kernel ever sends: no direction waits for the other.

// Answers in the order of requests, each when the link has carried it.
class Direction {
public:
    Direction(std::int64_t bytes_per_s, microseconds latency) : bytes_per_s_(bytes_per_s), latency_(latency) {
        std::thread([this] { answer_all(); }).detach();
    }

    void carry(std::size_t bytes, std::function<void()> answer) {
        const std::lock_guard guard(lock_);
        const Clock::time_point turn = std::max(free_at_, Clock::now());
        free_at_ = turn + duration(bytes);
        waiting_.push({turn + duration(bytes - std::min(bytes, page_bytes)) + latency_, std::move(answer)});
        changed_.notify_one();
    }

private:
    struct Request {
        Clock::time_point ends_at;
        std::function<void()> answer;
    };

    [[nodiscard]] nanoseconds duration(std::size_t bytes) const {
        return nanoseconds(static_cast<std::int64_t>(bytes) * 1'000'000'000 / bytes_per_s_);
    }

    [[noreturn]] void answer_all() {
        for (;;) {
            Request next;
            {
                std::unique_lock guard(lock_);
                changed_.wait(guard, [&] { return !waiting_.empty(); });
                next = std::move(waiting_.front());
                waiting_.pop();
            }
            std::this_thread::sleep_until(next.ends_at);
            next.answer();
        }
    }

    const std::int64_t bytes_per_s_;
    const microseconds latency_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::queue<Request> waiting_;
    Clock::time_point free_at_;
};

struct Disk {
    std::vector<char> data;
    Direction in;
    Direction out;
};

Disk& disk_of(fuse_req_t request) {
    return *static_cast<Disk*>(::fuse_req_userdata(request));
}

struct stat attributes(fuse_req_t request, fuse_ino_t node) {
    struct stat made {};
    made.st_ino = node;
    made.st_nlink = 1;
    made.st_mode = node == root ? S_IFDIR | 0700 : S_IFREG | 0600;
    made.st_size = node == root ? 0 : static_cast<off_t>(disk_of(request).data.size());
    return made;
}

void start(void*, fuse_conn_info* connection) {
    connection->max_background = connection->congestion_threshold = nr_requests;
}

void look_up(fuse_req_t request, fuse_ino_t, const char* name) {
    if (std::strcmp(name, "disk") != 0) {
        ::fuse_reply_err(request, ENOENT);
        return;
    }
    const fuse_entry_param found{
        .ino = disk, .generation = 0, .attr = attributes(request, disk), .attr_timeout = 1e9, .entry_timeout = 1e9};
    ::fuse_reply_entry(request, &found);
}

void get_attributes(fuse_req_t request, fuse_ino_t node, fuse_file_info*) {
    const struct stat found = attributes(request, node);
    ::fuse_reply_attr(request, &found, 1e9);
}

void open_disk(fuse_req_t request, fuse_ino_t, fuse_file_info* file) {
    file->direct_io = 1;
    ::fuse_reply_open(request, file);
}

bool is_inside(const Disk& whole, std::size_t bytes, off_t offset) {
    return offset >= 0 && static_cast<std::size_t>(offset) + bytes <= whole.data.size();
}

void read_disk(fuse_req_t request, fuse_ino_t, std::size_t bytes, off_t offset, fuse_file_info*) {
    Disk& whole = disk_of(request);
    if (!is_inside(whole, bytes, offset)) {
        ::fuse_reply_buf(request, nullptr, 0);
        return;
    }
    whole.in.carry(bytes, [=, &whole] { ::fuse_reply_buf(request, &whole.data[static_cast<std::size_t>(offset)], bytes); });
}

void write_disk(fuse_req_t request, fuse_ino_t, const char* from, std::size_t bytes, off_t offset, fuse_file_info*) {
    Disk& whole = disk_of(request);
    if (!is_inside(whole, bytes, offset)) {
        ::fuse_reply_err(request, ENOSPC);
        return;
    }
    std::memcpy(&whole.data[static_cast<std::size_t>(offset)], from, bytes);
    whole.out.carry(bytes, [=] { ::fuse_reply_write(request, bytes); });
}

int serve(const char* name, const char* folder, Disk& whole) {
    fuse_lowlevel_ops calls{};
    calls.init = start;
    calls.lookup = look_up;
    calls.getattr = get_attributes;
    calls.open = open_disk;
    calls.read = read_disk;
    calls.write = write_disk;
    char* words[] = {const_cast<char*>(name), nullptr};
    fuse_args arguments = FUSE_ARGS_INIT(1, words);
    fuse_session* const session = ::fuse_session_new(&arguments, &calls, sizeof calls, &whole);
    if (session == nullptr || ::fuse_set_signal_handlers(session) != 0 || ::fuse_session_mount(session, folder) != 0)
        return 1;
    const int failed = ::fuse_session_loop(session);
    ::fuse_session_unmount(session);
    // Threads that answer may still run.
    std::_Exit(failed == 0 ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: link-disk FOLDER BYTES BYTES_PER_S LATENCY_US\n");
        return 2;
    }
    // The kernel's default slack would be a sixth of the latency. Threads inherit this.
    ::prctl(PR_SET_TIMERSLACK, 1);
    const std::int64_t bytes_per_s = std::max(std::atoll(argv[3]), 1LL);
    Disk whole{.data = std::vector<char>(static_cast<std::size_t>(std::atoll(argv[2]))),
               .in = Direction(bytes_per_s, microseconds(std::atoll(argv[4]))),
               .out = Direction(bytes_per_s, microseconds(0))};
    return serve(argv[0], argv[1], whole);
}
