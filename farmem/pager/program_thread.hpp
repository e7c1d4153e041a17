// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProgramThread: a thread that pages one program, and what others ask of it. Thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "farmem/pager/paging.hpp"

namespace tmm::far {

class ProgramThread {
public:
    // command: one to run. main: the program's first process, or one that becomes it.
    static Result<std::unique_ptr<ProgramThread>> start(const Command& command, UniqueFd main, std::unique_ptr<Store> store,
                                                        const Paging::Links& links, const Log& log);
    // Ends all processes first.
    ~ProgramThread();
    ProgramThread(const ProgramThread&) = delete;
    ProgramThread& operator=(const ProgramThread&) = delete;

    // As those of Paging, in the thread.
    void add(Userfault userfault, HandLink hand, std::uint64_t beacon);
    Result<void> add_child(SpaceId space, HandLink hand);
    UniqueFd child_userfault(std::uint64_t number);
    void record(Recorder recorder);
    // These three do not wait for a store: status() returns an older one rather.
    void set_limit(std::uint64_t limit_pages);
    Paging::Status status();
    void stop();

    // The program, and all processes that it left, have ended.
    [[nodiscard]] bool has_ended() const { return has_ended_.load(); }
    [[nodiscard]] const SharedMemory& slots() const { return paging_->slots(); }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    ProgramThread(std::string name, UniqueFd main, UniqueFd wake)
        : name_(std::move(name)), main_(std::move(main)), wake_(std::move(wake)) {}

    void run();
    void wait_for_something();
    // Calls the function in the thread.
    void post(std::function<void()> call);
    // And waits.
    void in_thread(const std::function<void()>& call);

    const std::string name_;
    const UniqueFd main_;
    const UniqueFd wake_;
    std::unique_ptr<Paging> paging_;

    std::mutex lock_;
    std::vector<std::function<void()>> calls_;
    Paging::Status status_;
    std::atomic<bool> ends_ = false;
    std::atomic<bool> has_ended_ = false;
    std::thread thread_;
};

}  // namespace tmm::far
