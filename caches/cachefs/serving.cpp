// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/serving.hpp"

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "caches/cachefs/blocks/request_turns.hpp"

namespace tmm::caches {
namespace {

constexpr std::size_t max_idle_threads = 8;
// Of the threads in a user's requests, and of the memory that those take which wait; a small one counts as a page.
constexpr std::size_t max_running_per_user = 32;
constexpr std::size_t max_running = 8 * max_running_per_user;
constexpr std::size_t max_waiting_bytes_per_user = std::size_t{64} << 20;
constexpr std::size_t request_bytes = 4096;

using Bytes = std::vector<char>;

// Memory that libfuse allocates when it receives.
struct ReceiveBuffer {
    ReceiveBuffer() = default;
    ~ReceiveBuffer() { std::free(buffer.mem); }
    ReceiveBuffer(const ReceiveBuffer&) = delete;
    ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

    fuse_buf buffer{};
};

// These ask nothing of the store, and each must be heard.
bool is_quick(std::uint32_t operation) {
    return operation == FUSE_INIT || operation == FUSE_FORGET || operation == FUSE_BATCH_FORGET || operation == FUSE_INTERRUPT ||
           operation == FUSE_DESTROY;
}
bool may_be_refused(std::uint32_t operation) {
    return operation != FUSE_RELEASE && operation != FUSE_RELEASEDIR;
}

class Serving {
public:
    explicit Serving(fuse_session* session) : session_(session) {
        if (::sem_init(&ends_, 0, 0) != 0)
            throw std::system_error(errno, std::generic_category(), "semaphore");
    }
    ~Serving() { ::sem_destroy(&ends_); }
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

    int run() {
        {
            const std::lock_guard lock(mutex_);
            start_thread();
        }
        // A signal interrupts this; it asks for the end.
        while (fuse_session_exited(session_) == 0)
            ::sem_wait(&ends_);
        std::unique_lock lock(mutex_);
        for (std::thread& thread : threads_)
            ::pthread_cancel(thread.native_handle());
        std::list<std::thread> ending = std::move(threads_);
        threads_.clear();
        ends_all_ = true;
        lock.unlock();
        for (std::thread& thread : ending)
            thread.join();
        return error_;
    }

private:
    // Under the lock.
    void start_thread() {
        // Signals are for the thread that waits for the end.
        sigset_t all;
        sigset_t before;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            threads_.emplace_back();
            threads_.back() = std::thread([this, own = std::prev(threads_.end())] { serve(own); });
            ++idle_;
        } catch (const std::system_error&) {
            threads_.pop_back();
            ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
            throw;
        }
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    // It may be cancelled only while it waits for a request.
    int receive(fuse_buf& buffer) {
        ::pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
        const int received = fuse_session_receive_buf(session_, &buffer);
        ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
        return received;
    }

    void serve(std::list<std::thread>::iterator own) {
        ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
        ReceiveBuffer memory;
        while (fuse_session_exited(session_) == 0) {
            const int received = receive(memory.buffer);
            if (received == -EINTR)
                continue;
            if (received <= 0) {
                end(received);
                return;
            }
            memory.buffer.size = static_cast<std::size_t>(received);
            if (handle(memory.buffer) && retire(own))
                return;
        }
        end(0);
    }

    // Returns whether the request was served by this thread, with all that waited for it.
    bool handle(fuse_buf& buffer) {
        fuse_in_header header;
        std::memcpy(&header, buffer.mem, sizeof header);
        if (is_quick(header.opcode)) {
            fuse_session_process_buf(session_, &buffer);
            return false;
        }
        std::unique_lock lock(mutex_);
        if (!turns_.begin(header.uid)) {
            const char* bytes = static_cast<const char*>(buffer.mem);
            const std::size_t size = may_be_refused(header.opcode) ? std::max(buffer.size, request_bytes) : 0;
            if (!turns_.wait(header.uid, size, Bytes(bytes, bytes + buffer.size))) {
                lock.unlock();
                refuse(header);
            }
            return false;
        }
        if (--idle_ == 0 && !ends_all_) {
            try {
                start_thread();
            } catch (const std::system_error&) {
                // This thread receives again once it has served the request.
            }
        }
        lock.unlock();
        fuse_session_process_buf(session_, &buffer);
        lock.lock();
        for (auto next = turns_.finish(header.uid); next; next = turns_.finish(next->first)) {
            lock.unlock();
            fuse_buf waited{};
            waited.mem = next->second.data();
            waited.size = next->second.size();
            fuse_session_process_buf(session_, &waited);
            lock.lock();
        }
        ++idle_;
        return true;
    }

    // The kernel accepts an error as the answer to any request.
    void refuse(const fuse_in_header& header) {
        const fuse_out_header answer{sizeof answer, -ENOMEM, header.unique};
        if (::write(fuse_session_fd(session_), &answer, sizeof answer) < 0) {
            // The caller was interrupted and has gone.
        }
    }

    // Ends this thread if enough others wait for requests.
    bool retire(std::list<std::thread>::iterator own) {
        const std::lock_guard lock(mutex_);
        if (idle_ <= max_idle_threads || ends_all_)
            return false;
        --idle_;
        own->detach();
        threads_.erase(own);
        return true;
    }

    void end(int error) {
        fuse_session_exit(session_);
        const std::lock_guard lock(mutex_);
        if (error != 0)
            error_ = error;
        ::sem_post(&ends_);
    }

    fuse_session* const session_;
    sem_t ends_{};
    std::mutex mutex_;
    RequestTurns<Bytes> turns_{{max_running_per_user, max_running, max_waiting_bytes_per_user}};
    std::list<std::thread> threads_;
    std::size_t idle_ = 0;  // threads that receive
    bool ends_all_ = false;
    int error_ = 0;
};

}  // namespace

int serve_by_user(fuse_session* session) {
    return Serving(session).run();
}

}  // namespace tmm::caches
