// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ublk-server SERVER BYTES: /dev/ublkb0, a disk in a memcached server, until it is killed. Says "ready" when the disk is there.
#include <fcntl.h>
#include <liburing.h>
#include <linux/ublk_cmd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "memcached_blocks.hpp"

namespace {

using tmm::peers::block_bytes;
using tmm::peers::MemcachedBlocks;

constexpr unsigned nr_queues = 2;
constexpr unsigned depth = 64;
constexpr unsigned max_bytes = 512 << 10;
constexpr int sector_shift = 9;
constexpr int block_shift = 12;
// The newer form of its commands.
constexpr unsigned long control_code(unsigned command) {
    return _IOWR('u', command, ublksrv_ctrl_cmd);
}
constexpr unsigned long io_code(unsigned command) {
    return _IOWR('u', command, ublksrv_io_cmd);
}

[[noreturn]] void fail(const char* what) {
    std::perror(what);
    std::_Exit(1);
}

io_uring_sqe* next_entry(io_uring& ring) {
    io_uring_sqe* const entry = ::io_uring_get_sqe(&ring);
    if (entry == nullptr)
        fail("io_uring: no entry is free");
    return entry;
}

// Carries out one command, and waits for it.
void control(int device, unsigned command, void* data, std::size_t bytes, std::uint64_t number = 0) {
    io_uring ring{};
    if (::io_uring_queue_init(1, &ring, IORING_SETUP_SQE128) != 0)
        fail("io_uring");
    io_uring_sqe* const entry = next_entry(ring);
    std::memset(entry, 0, 2 * sizeof *entry);
    entry->opcode = IORING_OP_URING_CMD;
    entry->fd = device;
    entry->cmd_op = static_cast<__u32>(control_code(command));
    ublksrv_ctrl_cmd asked{};
    asked.queue_id = static_cast<__u16>(-1);
    asked.addr = reinterpret_cast<std::uintptr_t>(data);
    asked.len = static_cast<__u16>(bytes);
    asked.data[0] = number;
    std::memcpy(reinterpret_cast<char*>(entry) + offsetof(io_uring_sqe, addr3), &asked, sizeof asked);
    io_uring_cqe* answer = nullptr;
    if (::io_uring_submit(&ring) < 0 || ::io_uring_wait_cqe(&ring, &answer) < 0)
        fail("io_uring");
    if (answer->res < 0) {
        errno = -answer->res;
        fail("ublk");
    }
    ::io_uring_queue_exit(&ring);
}

class Queue {
public:
    Queue(int device, unsigned number, const char* server)
        : device_(device), number_(number), blocks_(server), buffers_(std::size_t{depth} * max_bytes) {
        const std::size_t bytes = depth * sizeof(ublksrv_io_desc);
        const std::size_t apart = UBLK_MAX_QUEUE_DEPTH * sizeof(ublksrv_io_desc);
        void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, device,
                                    static_cast<off_t>(UBLKSRV_CMD_BUF_OFFSET + number * apart));
        if (mapped == MAP_FAILED || !blocks_.is_connected() || ::io_uring_queue_init(depth, &ring_, 0) != 0)
            fail("queue");
        asked_ = static_cast<const ublksrv_io_desc*>(mapped);
    }

    void run(std::atomic<unsigned>& nr_ready) {
        for (unsigned tag = 0; tag < depth; ++tag)
            fetch(tag, UBLK_IO_FETCH_REQ, 0);
        ::io_uring_submit(&ring_);
        for (++nr_ready;;) {
            io_uring_cqe* answer = nullptr;
            if (::io_uring_wait_cqe(&ring_, &answer) < 0 || answer->res == UBLK_IO_RES_ABORT)
                return;
            const auto tag = static_cast<unsigned>(answer->user_data);
            ::io_uring_cqe_seen(&ring_, answer);
            fetch(tag, UBLK_IO_COMMIT_AND_FETCH_REQ, carry_out(tag));
            ::io_uring_submit(&ring_);
        }
    }

private:
    char* buffer(unsigned tag) { return buffers_.data() + std::size_t{tag} * max_bytes; }

    int carry_out(unsigned tag) {
        const ublksrv_io_desc& asked = asked_[tag];
        const std::size_t bytes = std::size_t{asked.nr_sectors} << sector_shift;
        const std::uint64_t offset = asked.start_sector << sector_shift;
        switch (asked.op_flags & 0xff) {
            case UBLK_IO_OP_READ:
                return blocks_.read(buffer(tag), bytes, offset) ? static_cast<int>(bytes) : -EIO;
            case UBLK_IO_OP_WRITE:
                return blocks_.write(buffer(tag), bytes, offset) ? static_cast<int>(bytes) : -EIO;
            default:
                return 0;
        }
    }

    void fetch(unsigned tag, unsigned command, int result) {
        io_uring_sqe* const entry = next_entry(ring_);
        std::memset(entry, 0, sizeof *entry);
        entry->opcode = IORING_OP_URING_CMD;
        entry->fd = device_;
        entry->cmd_op = static_cast<__u32>(io_code(command));
        entry->user_data = tag;
        ublksrv_io_cmd given{};
        given.q_id = static_cast<__u16>(number_);
        given.tag = static_cast<__u16>(tag);
        given.result = result;
        given.addr = reinterpret_cast<std::uintptr_t>(buffer(tag));
        std::memcpy(reinterpret_cast<char*>(entry) + offsetof(io_uring_sqe, addr3), &given, sizeof given);
    }

    const int device_;
    const unsigned number_;
    MemcachedBlocks blocks_;
    std::vector<char> buffers_;
    io_uring ring_{};
    const ublksrv_io_desc* asked_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    const int controller = ::open("/dev/ublk-control", O_RDWR | O_CLOEXEC);
    if (controller < 0)
        fail("/dev/ublk-control");
    ublksrv_ctrl_dev_info info{};
    info.nr_hw_queues = nr_queues;
    info.queue_depth = depth;
    info.max_io_buf_bytes = max_bytes;
    info.ublksrv_pid = ::getpid();
    control(controller, UBLK_CMD_ADD_DEV, &info, sizeof info);
    ublk_params parameters{};
    parameters.len = sizeof parameters;
    parameters.types = UBLK_PARAM_TYPE_BASIC;
    parameters.basic.logical_bs_shift = block_shift;
    parameters.basic.physical_bs_shift = block_shift;
    parameters.basic.io_min_shift = block_shift;
    parameters.basic.io_opt_shift = block_shift;
    parameters.basic.max_sectors = max_bytes >> sector_shift;
    parameters.basic.dev_sectors = std::strtoull(argv[2], nullptr, 10) >> sector_shift;
    control(controller, UBLK_CMD_SET_PARAMS, &parameters, sizeof parameters);
    const int device = ::open("/dev/ublkc0", O_RDWR | O_CLOEXEC);
    if (device < 0)
        fail("/dev/ublkc0");
    std::atomic<unsigned> nr_ready = 0;
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < nr_queues; ++number)
        threads.emplace_back([&, number] { Queue(device, number, argv[1]).run(nr_ready); });
    while (nr_ready < nr_queues)
        std::this_thread::yield();
    control(controller, UBLK_CMD_START_DEV, nullptr, 0, static_cast<std::uint64_t>(::getpid()));
    std::puts("ready");
    std::fflush(stdout);
    for (std::thread& thread : threads)
        thread.join();
    return 0;
}
