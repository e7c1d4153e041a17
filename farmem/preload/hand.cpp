// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/preload/hand.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "farmem/core/page.hpp"
#include "farmem/preload/maps_line.hpp"
#include "farmem/preload/raw.hpp"
#include "farmem/uffd/abi.hpp"

namespace tmm::far {

namespace {

constexpr std::int64_t scan_ns = 20'000'000;
constexpr std::int64_t child_ns = 1'000'000'000;
constexpr std::int64_t max_word_ns = 500'000'000;
// Smaller memory is left alone: it is many areas, and little gain.
constexpr std::uint64_t min_run_bytes = 1 << 20;
constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, Linux 5.14

// As in core/program.hpp.
enum Outcome : std::uint32_t { moved, absent, refused };

class HandThread {
public:
    explicit HandThread(const Hand& hand) : hand_(hand), block_(*hand.block) {}

    [[noreturn]] void run() {
        block_.thread.store(static_cast<std::uint32_t>(raw::call(SYS_gettid)));
        std::int64_t scans_at = now() + (hand_.is_child ? child_ns : scan_ns);
        clear_staging();
        for (;;) {
            const std::int64_t wait = scans_at - now();
            timespec timeout{.tv_sec = 0, .tv_nsec = wait > 0 ? wait % child_ns : 0};
            pollfd waits{.fd = hand_.socket, .events = POLLIN, .revents = 0};
            raw::call(SYS_ppoll, &waits, 1, &timeout, nullptr, 8);
            if (waits.revents != 0)
                read_message();
            if (now() >= scans_at) {
                scan();
                scans_at = now() + scan_ns;
            }
        }
    }

private:
    static std::int64_t now() {
        timespec time{};
        raw::call(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
        return time.tv_sec * 1'000'000'000 + time.tv_nsec;
    }

    // The pager has pages of this process that nobody else has: it must not go on without them. The userfaultfd stays open here,
    // so no thread that waits for a page gets zeros before the end.
    [[noreturn]] static void end_process() {
        kill_process(
            "tmm-far: the pager has ended, and with it the far memory of this process: killed. Run the command again: tmm-far "
            "starts the next pager.\n");
    }

    // A thread that waits for a page may have locked the file that the word goes to. So the end comes by itself.
    [[noreturn]] static void kill_process(std::string_view word) {
        sigevent killed{};
        killed.sigev_notify = SIGEV_SIGNAL;
        killed.sigev_signo = SIGKILL;
        const itimerspec at{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = max_word_ns}};
        int timer = 0;
        if (raw::call(SYS_timer_create, CLOCK_MONOTONIC, &killed, &timer) == 0 &&
            raw::call(SYS_timer_settime, timer, 0, &at, nullptr) == 0)
            say(word);
        for (;;)
            raw::call(SYS_kill, raw::call(SYS_getpid), SIGKILL);
    }

    // Others may write to the same file: only by the program's own descriptor is the word before theirs, and not under it. What
    // is no file of that kind is opened again, so that a terminal that rests keeps nobody waiting.
    static void say(std::string_view word) {
        const long process = raw::call(SYS_pidfd_open, raw::call(SYS_getpid), 0);
        const long own = raw::call(SYS_pidfd_getfd, process, 2, 0);
        long file = own;
        if (own < 0 || raw::call(SYS_lseek, own, 0, SEEK_CUR) < 0) {
            if (raw::call(SYS_sendto, own, word.data(), word.size(), MSG_DONTWAIT | MSG_NOSIGNAL, nullptr, 0) >= 0)
                return;
            file = raw::call(SYS_openat, AT_FDCWD, "/proc/self/fd/2", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_APPEND, 0);
        }
        raw::call(SYS_write, file, word.data(), word.size());
    }

    void read_message() {
        HandMessage& message = block_.message;
        const long bytes = raw::call(SYS_recvfrom, hand_.socket, &message, sizeof message, MSG_DONTWAIT, nullptr, nullptr);
        if (bytes == -EAGAIN || bytes == -EINTR)
            return;
        if (bytes < static_cast<long>(message_header_bytes))
            end_process();
        if (message.kind == MessageKind::evict && message.count < nr_batches)
            evict(message.count);
        else if (message.kind == MessageKind::lost)
            kill_process("tmm-far: no copy of a page of this program is left: killed\n");
        else if (message.kind == MessageKind::register_areas)
            registers_ = true;
        else if (message.kind == MessageKind::forget)
            for (std::uint32_t i = 0; i < message.count && i < HandMessage::max_ranges; ++i)
                forget(message.ranges[i]);
    }

    void send(std::size_t bytes) {
        if (raw::call(SYS_sendto, hand_.socket, &block_.message, bytes, MSG_NOSIGNAL, nullptr, 0) < 0)
            end_process();
    }

    // Eviction.

    void start_moving() {
        for (int tries = 1;; ++tries) {
            block_.hand_moves.store(1);
            if (block_.pager_reads.load() == 0)
                return;
            stop_moving();
            raw::call(SYS_sched_yield);
            // A pager that was killed meanwhile never ends its reading.
            pollfd asks{.fd = hand_.socket, .events = 0, .revents = 0};
            const timespec at_once{};
            if (tries % 256 == 0 && raw::call(SYS_ppoll, &asks, 1, &at_once, nullptr, 8) > 0)
                end_process();
        }
    }
    void stop_moving() { block_.hand_moves.store(0); }

    // Moves orders [at, at + count), which follow each other in memory, to the staging area. Returns how many moved; error: why
    // the next did not.
    std::uint32_t move(HandBatch& batch, std::uint32_t at, std::uint32_t count, long& error) {
        start_moving();
        std::uint32_t valid = 0;
        while (valid < count && batch.orders[at + valid].address.load() != 0)
            ++valid;
        uffdio_move call{};
        call.src = batch.orders[at].address.load();
        call.dst = reinterpret_cast<std::uint64_t>(staging_slot(at));
        call.len = valid * page_bytes;
        call.mode = UFFDIO_MOVE_MODE_DONTWAKE;
        error = valid == 0 ? -ECANCELED : raw::call(SYS_ioctl, hand_.uffd, UFFDIO_MOVE, &call);
        stop_moving();
        return call.move > 0 ? static_cast<std::uint32_t>(call.move / static_cast<std::int64_t>(page_bytes)) : 0;
    }

    char* staging_slot(std::uint32_t order) { return hand_.staging + (staged_ + order) * page_bytes; }

    void evict(std::uint32_t number) {
        HandBatch& batch = block_.batches[number];
        const std::uint32_t count = batch.count < batch_orders ? batch.count : batch_orders;
        if (staged_ + count > staging_pages)
            clear_staging();
        for (std::uint32_t at = 0; at < count;) {
            // A program that reads all of its mappings makes pages there. They are nobody's, and stay while others pass through.
            if (is_staging(batch.orders[at].address.load())) {
                batch.orders[at++].outcome = absent;
                continue;
            }
            std::uint32_t run = 1;
            while (at + run < count &&
                   batch.orders[at + run].address.load() == batch.orders[at].address.load() + run * page_bytes)
                ++run;
            long error = 0;
            const std::uint32_t done = move(batch, at, run, error);
            for (std::uint32_t i = 0; i < done; ++i)
                batch.orders[at + i].outcome = moved;
            at += done;
            // A run that stops in the middle does not say why: the page alone does.
            if (done < run)
                batch.orders[at].outcome = move_alone(batch, at), ++at;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            if (batch.orders[i].outcome == moved)
                copy_page(hand_.slots + std::uint64_t{batch.orders[i].slot} * page_bytes, staging_slot(i));
        }
        staged_ += count;
        block_.message.kind = MessageKind::done;
        block_.message.count = number;
        send(message_header_bytes);
    }

    Outcome move_alone(HandBatch& batch, std::uint32_t at) {
        long error = 0;
        if (move(batch, at, 1, error) == 1)
            return moved;
        if (error == -EBUSY) {
            // It is shared with a child (or its last owner): a copy of its own can move. Unlike a write this does no harm where
            // the program has protected the page.
            raw::call(SYS_madvise, batch.orders[at].address.load(), page_bytes, populate_write);
            if (move(batch, at, 1, error) == 1)
                return moved;
        }
        // While the kernel migrates pages (compaction), Linux 6.18 may move more pages of a run than it reports. But a page
        // that is still here did not move: then the program has read the staging area, and made the page there.
        const std::uint64_t address = batch.orders[at].address.load();
        if (address != 0 && is_resident(staging_slot(at)) && !is_resident(reinterpret_cast<char*>(address)))
            return moved;
        return error == -ENOENT ? absent : refused;
    }

    bool is_resident(char* page) {
        unsigned char& resident = block_.resident[0];
        return raw::call(SYS_mincore, page, page_bytes, &resident) == 0 && (resident & 1) != 0;
    }

    bool is_staging(std::uint64_t address) const {
        const auto first = reinterpret_cast<std::uint64_t>(hand_.staging);
        return address >= first && address < first + staging_pages * page_bytes;
    }

    // No memcpy(): libc decides about it by variables of its own.
    static void copy_page(char* to, const char* from) {
        using Word = std::uint64_t __attribute__((vector_size(16), may_alias));
        for (std::size_t i = 0; i < page_bytes / sizeof(Word); ++i) {
            asm volatile("" ::: "memory");
            reinterpret_cast<Word*>(to)[i] = reinterpret_cast<const Word*>(from)[i];
        }
    }

    // A registered area would tell the pager of each page that is dropped.
    void clear_staging() {
        uffdio_range range{.start = reinterpret_cast<std::uint64_t>(hand_.staging), .len = staging_pages * page_bytes};
        raw::call(SYS_ioctl, hand_.uffd, UFFDIO_UNREGISTER, &range);
        raw::call(SYS_madvise, hand_.staging, range.len, MADV_DONTNEED);
        register_memory(range.start, range.start + range.len);
        staged_ = 0;
    }

    // Areas.

    bool register_memory(std::uint64_t first, std::uint64_t last) {
        uffdio_register call{};
        call.range = {.start = first, .len = last - first};
        call.mode = UFFDIO_REGISTER_MODE_MISSING;
        return raw::call(SYS_ioctl, hand_.uffd, UFFDIO_REGISTER, &call) == 0;
    }

    void scan() {
        if (!registers_)
            return report_size();
        const long file = raw::call(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
        if (file < 0)
            return;
        run_ = {};
        std::size_t kept = 0;
        for (;;) {
            const long bytes = raw::call(SYS_read, file, block_.text.data() + kept, block_.text.size() - kept);
            if (bytes <= 0)
                break;
            const std::string_view text(block_.text.data(), kept + static_cast<std::size_t>(bytes));
            std::size_t at = 0;
            for (std::size_t end = 0; end < text.size(); ++end) {
                if (text[end] != '\n')
                    continue;
                see(parse_maps_line(text.substr(at, end - at)));
                at = end + 1;
            }
            // The rest of a line, not overlapping.
            kept = text.size() - at;
            for (std::size_t i = 0; i < kept; ++i) {
                asm volatile("" ::: "memory");
                block_.text[i] = text[at + i];
            }
        }
        end_run();
        raw::call(SYS_close, file);
    }

    // Memory that grew has several lines, one after the other.
    void see(const MapsLine& line) {
        const auto staging = reinterpret_cast<std::uint64_t>(hand_.staging);
        const bool is_own = line.first < staging + staging_pages * page_bytes && line.last > staging;
        if (!line.is_private_anonymous || is_own || line.first != run_.last)
            end_run();
        if (!line.is_private_anonymous || is_own)
            return;
        if (run_.first == 0)
            run_.first = line.first;
        run_.last = line.last;
    }
    void end_run() {
        if (run_.last - run_.first >= min_run_bytes)
            add(run_);
        run_ = {};
    }

    // Registers what of the run is not yet.
    void add(const HandRange& run) {
        for (std::uint64_t at = run.first; at < run.last;) {
            std::uint64_t next = run.last;
            const HandRange* known = nullptr;
            for (std::uint32_t i = 0; i < block_.nr_areas; ++i) {
                const HandRange& area = block_.areas[i];
                if (area.first <= at && at < area.last)
                    known = &area;
                else if (area.first > at && area.first < next)
                    next = area.first;
            }
            if (known) {
                at = known->last;
                continue;
            }
            if (block_.nr_areas < block_.areas.size() && register_memory(at, next)) {
                add_area({at, next});
                report_present({at, next});
            }
            at = next;
        }
    }

    void add_area(const HandRange& added) {
        for (std::uint32_t i = 0; i < block_.nr_areas; ++i) {
            if (block_.areas[i].last == added.first) {
                block_.areas[i].last = added.last;
                return;
            }
        }
        block_.areas[block_.nr_areas++] = added;
    }

    void forget(const HandRange& gone) {
        for (std::uint32_t i = 0; i < block_.nr_areas; ++i) {
            HandRange& area = block_.areas[i];
            if (area.last <= gone.first || area.first >= gone.last)
                continue;
            const HandRange after{gone.last, area.last};
            area.last = gone.first;
            if (after.first < after.last && block_.nr_areas < block_.areas.size())
                block_.areas[block_.nr_areas++] = after;
            if (area.first >= area.last)
                area = block_.areas[--block_.nr_areas], --i;
        }
    }

    // Tells which pages are there.
    void report_present(const HandRange& area) {
        HandMessage& message = block_.message;
        message.kind = MessageKind::present;
        message.count = 0;
        message.number = block_.nr_moves.load();
        for (std::uint64_t at = area.first; at < area.last;) {
            std::uint64_t pages = (area.last - at) / page_bytes;
            pages = pages < block_.resident.size() ? pages : block_.resident.size();
            if (raw::call(SYS_mincore, at, pages * page_bytes, block_.resident.data()) != 0)
                break;
            for (std::uint64_t i = 0; i < pages; ++i) {
                const std::uint64_t page = at + i * page_bytes;
                if ((block_.resident[i] & 1) == 0)
                    continue;
                if (message.count > 0 && message.ranges[message.count - 1].last == page) {
                    message.ranges[message.count - 1].last += page_bytes;
                    continue;
                }
                if (message.count == HandMessage::max_ranges)
                    send_ranges();
                message.ranges[message.count++] = {page, page + page_bytes};
            }
            at += pages * page_bytes;
        }
        if (message.count > 0)
            send_ranges();
    }
    void send_ranges() {
        send(message_header_bytes + block_.message.count * sizeof(HandRange));
        block_.message.count = 0;
    }

    void report_size() {
        const long file = raw::call(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);
        if (file < 0)
            return;
        const long bytes = raw::call(SYS_read, file, block_.text.data(), block_.text.size());
        raw::call(SYS_close, file);
        // Pages: size, resident, of that shared.
        std::uint64_t numbers[3] = {};
        int number = 0;
        for (long i = 0; i < bytes && number < 3; ++i) {
            const char c = block_.text[static_cast<std::size_t>(i)];
            if (c == ' ')
                ++number;
            else
                numbers[number] = numbers[number] * 10 + static_cast<std::uint64_t>(c - '0');
        }
        const std::uint64_t resident = numbers[1] - numbers[2];
        if (resident == reported_)
            return;
        reported_ = resident;
        block_.message.kind = MessageKind::size;
        block_.message.count = 0;
        block_.message.number = resident;
        send(message_header_bytes);
    }

    Hand hand_;
    HandBlock& block_;
    HandRange run_{};
    std::uint64_t staged_ = 0;
    std::uint64_t reported_ = 0;
    bool registers_ = false;
};

// In the new thread, whose files are copies.
void run_hand(void* argument) {
    const Hand hand = *static_cast<const Hand*>(argument);
    const int low = hand.socket < hand.uffd ? hand.socket : hand.uffd;
    const int high = hand.socket < hand.uffd ? hand.uffd : hand.socket;
    if (low > 0)
        raw::call(SYS_close_range, 0, low - 1, 0);
    if (high > low + 1)
        raw::call(SYS_close_range, low + 1, high - 1, 0);
    raw::call(SYS_close_range, high + 1, ~0U, 0);
    HandThread(hand).run();
}

}  // namespace

bool start_hand(const Hand& hand) {
    HandBlock& block = *hand.block;
    char* const top = block.stack.data() + block.stack.size();
    // Below the thread's own stack.
    static_assert(sizeof(HandThread) < 1024);
    Hand* const kept = new (block.stack.data()) Hand(hand);
    constexpr long flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    const std::uint64_t all = ~std::uint64_t{0};
    std::uint64_t before = 0;
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    const long thread = raw::start_thread(top, run_hand, kept, flags);
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, sizeof before);
    return thread > 0;
}

}  // namespace tmm::far
