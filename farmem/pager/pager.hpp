// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pager: accepts the hands of a user's programs and the commands of tmm-far at one socket. Called from one thread.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/log.hpp"
#include "base/messages/message_socket.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "farmem/pager/control.hpp"
#include "farmem/pager/device.hpp"
#include "farmem/pager/far_report.hpp"
#include "farmem/pager/program_thread.hpp"

namespace tmm::far {

class Pager {
public:
    // listener: a bound SOCK_SEQPACKET. root: "/". ends_when_idle: run() returns after the last program's end.
    // link_bytes_per_s: of each direction; 0 if it is never full. latency: of what comes in, beside the store's.
    Pager(UniqueFd listener, Device device, RootDir root, bool ends_when_idle, std::uint64_t link_bytes_per_s,
          nanoseconds latency, const LinkRules& rules, const Log& log)
        : listener_(std::move(listener)),
          device_(std::move(device)),
          root_(std::move(root)),
          ends_when_idle_(ends_when_idle),
          log_(log),
          in_(link_bytes_per_s, latency, rules),
          out_(link_bytes_per_s, {}, rules) {}

    // stop: a descriptor that is readable when the pager should end.
    void run(int stop);

private:
    // A connection whose first message is to come.
    struct Caller {
        UniqueFd socket;
        pid_t pid = 0;
        UniqueFd process;  // of pid
    };

    void accept();
    // Returns whether the caller is still to be heard.
    bool hear(Caller& caller);
    // Does it in a thread of its own.
    void aside(std::function<void()> task);
    bool is_busy_aside();
    std::string carry_out(std::string_view line, Caller& caller);
    Result<std::string> run_program(const Command& command, Caller& caller);
    std::string status();
    void follow_cgroups();
    ProgramThread* find(const std::string& name);

    UniqueFd listener_;
    Device device_;
    RootDir root_;
    bool ends_when_idle_;
    bool was_asked_ = false;  // to run a program
    const Log& log_;
    std::vector<Caller> callers_;
    SharedLink in_;
    SharedLink out_;
    std::map<std::string, std::shared_ptr<ProgramThread>> programs_;
    struct Follower {
        pid_t pid = 0;
        std::uint64_t max_bytes = 0;
    };
    std::map<std::string, Follower> followers_;  // by program
    FarReport report_{root_};
    std::chrono::steady_clock::time_point follows_at_{};
    std::vector<std::future<void>> aside_;  // ends first: it uses the others
};

}  // namespace tmm::far
