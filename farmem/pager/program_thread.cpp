// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/program_thread.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <future>
#include <utility>

namespace tmm::far {
namespace {

constexpr std::chrono::seconds max_status_wait{1};
// Of timers: the kernel's own, 50 us, is as long as a page needs on the way.
constexpr unsigned long timer_slack_ns = 1000;

}  // namespace

Result<std::unique_ptr<ProgramThread>> ProgramThread::start(const Command& command, UniqueFd main, std::unique_ptr<Store> store,
                                                            const Paging::Links& links, const Log& log) {
    UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake)
        return Error::from_errno(errno, "eventfd");
    const int wakes = wake.get();
    std::unique_ptr<ProgramThread> made(new ProgramThread(command.name, std::move(main), std::move(wake)));
    auto paging = Paging::make(
        command, std::move(store), links, [wakes] { ::eventfd_write(wakes, 1); }, log);
    if (!paging)
        return std::move(paging).error();
    made->paging_ = std::move(*paging);
    made->thread_ = std::thread([thread = made.get()] { thread->run(); });
    return made;
}

ProgramThread::~ProgramThread() {
    if (!thread_.joinable())
        return;
    in_thread([this] { paging_->kill_processes(); });
    ends_ = true;
    ::eventfd_write(wake_.get(), 1);
    thread_.join();
}

void ProgramThread::post(std::function<void()> call) {
    {
        const std::lock_guard guard(lock_);
        calls_.push_back(std::move(call));
    }
    ::eventfd_write(wake_.get(), 1);
}

void ProgramThread::in_thread(const std::function<void()>& call) {
    std::promise<void> done;
    post([&] {
        call();
        done.set_value();
    });
    done.get_future().wait();
}

void ProgramThread::add(Userfault userfault, HandLink hand, std::uint64_t beacon) {
    in_thread([&] { paging_->add(std::move(userfault), std::move(hand), beacon); });
}

Result<void> ProgramThread::add_child(SpaceId space, HandLink hand) {
    Result<void> added;
    in_thread([&] { added = paging_->add_child(space, std::move(hand)); });
    return added;
}

UniqueFd ProgramThread::child_userfault(std::uint64_t number) {
    UniqueFd copy;
    in_thread([&] { copy = paging_->child_userfault(number); });
    return copy;
}

void ProgramThread::record(Recorder recorder) {
    in_thread([&] { paging_->record(std::move(recorder)); });
}

void ProgramThread::set_limit(std::uint64_t limit_pages) {
    post([this, limit_pages] { paging_->set_limit(limit_pages); });
}

void ProgramThread::stop() {
    post([this] { paging_->kill_processes(); });
}

Paging::Status ProgramThread::status() {
    const auto done = std::make_shared<std::promise<void>>();
    post([this, done] {
        Paging::Status found = paging_->status();
        const std::lock_guard guard(lock_);
        status_ = std::move(found);
        done->set_value();
    });
    done->get_future().wait_for(max_status_wait);
    const std::lock_guard guard(lock_);
    return status_;
}

void ProgramThread::run() {
    ::prctl(PR_SET_TIMERSLACK, timer_slack_ns);
    pollfd ended{.fd = main_.get(), .events = POLLIN, .revents = 0};
    while (!ends_) {
        wait_for_something();
        std::vector<std::function<void()>> calls;
        {
            const std::lock_guard guard(lock_);
            calls.swap(calls_);
        }
        for (const auto& call : calls)
            call();
        paging_->step();
        if (!paging_->has_processes() && ::poll(&ended, 1, 0) > 0)
            has_ended_ = true;
    }
}

void ProgramThread::wait_for_something() {
    std::vector<pollfd> waits{{.fd = wake_.get(), .events = POLLIN, .revents = 0}};
    // Its end is told once.
    if (!has_ended_ && !paging_->has_processes())
        waits.push_back({.fd = main_.get(), .events = POLLIN, .revents = 0});
    const nanoseconds timeout = std::max(paging_->wait_for(waits), nanoseconds());
    const timespec wait{.tv_sec = timeout.count() / 1'000'000'000, .tv_nsec = timeout.count() % 1'000'000'000};
    ::ppoll(waits.data(), waits.size(), &wait, nullptr);
    std::uint64_t count = 0;
    (void)!::read(wake_.get(), &count, sizeof count);
}

}  // namespace tmm::far
