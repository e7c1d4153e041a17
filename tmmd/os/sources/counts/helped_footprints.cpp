// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Both ends: the helper process and the one of tmmd.
#include "tmmd/os/sources/counts/helped_footprints.hpp"

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "base/bounds/user_time.hpp"
#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/messages/long_text.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/sources/counts/process_watch.hpp"

namespace tmm::os {

namespace {

constexpr const char* helper_name = "tmmd-footprints";
constexpr Capabilities footprint_capabilities = capability(CAP_SYS_PTRACE) | capability(CAP_DAC_OVERRIDE);
// For a look at a process. Below the time that tmmd waits for an order given ahead.
constexpr std::chrono::seconds worker_deadline{20};
// For all looks at a user's processes in an order; root has twice as much. They may be thousands, each slow and none stuck. To
// read 64 GiB takes 1 s.
constexpr std::chrono::seconds max_time_per_user{5};
constexpr std::size_t root_factor = 2;

std::chrono::nanoseconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

Error of_footprints(const Error& error) {
    return Error(error).with_context("footprints");
}

// Returns the error of a socket; EPIPE tells of the helper's end.
Error of_socket(const Error& error) {
    if (error.code() != EPIPE)
        return error;
    return {EPIPE, std::string("the process ") + helper_name + " has ended; a restart of tmmd starts another"};
}

Error late() {
    return Error::from_errno(ETIMEDOUT, std::string("the process ") + helper_name +
                                            " does not reply: another may hold the lock of its memory for long");
}

// A reply has other files as files that are resident.
core::Footprint footprint_of(const core::ReadFiles& files) {
    core::Footprint footprint;
    footprint.resident[static_cast<std::size_t>(core::Backing::file)] = files.others;
    footprint.read = {.cached = files.cached, .used = files.used};
    return footprint;
}
core::ReadFiles files_of(const core::Footprint& footprint) {
    core::ReadFiles files = footprint.read;
    files.others = footprint.resident[static_cast<std::size_t>(core::Backing::file)];
    return files;
}

class FootprintWorker {
public:
    FootprintWorker(const RootDir& root, MayLook may_look, Now now)
        : root_(root), now_(std::move(now)), may_look_([this, may_look = std::move(may_look)](const OpaqueProcess& process) {
              return time_.begin(process.user, now_()) && may_look(process);
          }) {}

    FootprintReply carry_out(const FootprintOrder& order) {
        const std::chrono::nanoseconds began = own_cpu_time();
        time_ = UserTime(max_time_per_user, root_factor);
        FootprintReply reply;
        reply.number = order.number;
        auto footprints = result_of(order);
        if (footprints) {
            reply.footprints = *std::move(footprints);
        } else {
            reply.error_code = footprints.error().code() == 0 ? EIO : footprints.error().code();
            reply.problem = footprints.error().message();
        }
        say_left_out();
        reply.cpu_time = own_cpu_time() - began;
        return reply;
    }

private:
    void say_left_out() {
        std::set<uid_t> users = open_files_.left_out();
        if (processes_)
            users.insert(processes_->left_out().begin(), processes_->left_out().end());
        users.insert(time_.exceeded().begin(), time_.exceeded().end());
        left_out_.warn(users.empty() ? ""
                                     : "not all programs of " + names_of(users) +
                                           " are looked at: they are too many, hold too many files open, or take too long");
    }

    Result<FootprintMap> result_of(const FootprintOrder& order) {
        if (order.kind == FootprintOrder::Kind::files)
            return files_alone(order, FileKinds::open_and_mapped);
        if (order.kind == FootprintOrder::Kind::unmapped)
            return files_alone(order, FileKinds::unmapped);
        if (!processes_ || order.kind == FootprintOrder::Kind::open) {
            auto opened = ProcFootprints::open(root_, may_look_);
            if (!opened)
                return std::move(opened).error();
            processes_ = *std::move(opened);
        }
        if (order.kind == FootprintOrder::Kind::read)
            return footprints(order);
        if (order.kind == FootprintOrder::Kind::clear) {
            auto cleared = processes_->clear();
            if (!cleared)
                return std::move(cleared).error();
        }
        return FootprintMap();
    }

    Result<core::ReadFilesByCgroup> files(const FootprintOrder& order, FileKinds kinds) {
        const auto by_path = open_files_.read(order.transparent_cgroups, kinds);
        if (!by_path)
            return by_path.error();
        core::ReadFilesByCgroup files;
        for (const auto& [path, one] : *by_path)
            files[cgroup_id_of(root_, path)] += one;
        return files;
    }

    Result<FootprintMap> files_alone(const FootprintOrder& order, FileKinds kinds) {
        const auto found = files(order, kinds);
        if (!found)
            return found.error();
        FootprintMap reply;
        for (const auto& [cgroup, one] : *found)
            reply[cgroup] = footprint_of(one);
        return reply;
    }

    Result<FootprintMap> footprints(const FootprintOrder& order) {
        auto footprints = processes_->read(order.transparent_cgroups);
        time_.end(now_());
        if (!footprints)
            return footprints;
        // Footprints see mappings with any advice.
        if (const auto found = files(order, FileKinds::open))
            core::take_read_files(*footprints, *found);
        return footprints;
    }

    const RootDir& root_;
    Now now_;
    UserTime time_{max_time_per_user, root_factor};  // of the latest order
    MayLook may_look_;
    ProcOpenFiles open_files_{root_, ProcOpenFiles::Bounds(), may_look_};
    std::optional<ProcFootprints> processes_;
    Log log_{helper_name, LogLevel::info, std::getenv("JOURNAL_STREAM") != nullptr};
    ProblemLog left_out_{log_};
};

Result<void> start_worker(const RootDir& root, const HelperProcess::Work& work, std::unique_ptr<HelperProcess>& worker) {
    auto started = HelperProcess::start(root, work);
    if (!started)
        return std::move(started).error();
    worker = *std::move(started);
    return {};
}

Result<std::string> ask_worker(const HelperProcess& worker, const std::string& order, const ProcessWatch& watch,
                               std::chrono::milliseconds deadline) {
    if (const auto sent = worker.socket().send(order); !sent)
        return sent.error();
    for (;;) {
        const auto until = watch.latest() + deadline;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        auto reply = receive_long(worker.socket(), std::max(left, no_wait));
        if (!reply)
            return std::move(reply).error();
        if (*reply)
            return **std::move(reply);
        if (left <= no_wait)
            return Error::from_errno(ETIMEDOUT, helper_name);
    }
}

}  // namespace

void serve_footprints(const MessageSocket& socket, const RootDir& root, const MayLook& may_look, const Now& now) {
    FootprintWorker worker(root, may_look, now);
    for (;;) {
        const auto message = socket.receive(no_end);
        if (!message)
            return;
        if (!*message)
            continue;  // a signal
        const auto order = parse_footprint_order((*message)->text);
        if (!order || !send_long(socket, text_of(worker.carry_out(*order))))
            return;
    }
}

void watch_footprints(const MessageSocket& socket, const RootDir& root, std::chrono::milliseconds deadline) {
    auto watch = ProcessWatch::make();
    if (!watch)
        return;
    const HelperProcess::Work work{.name = helper_name,
                                   .capabilities = footprint_capabilities,
                                   .serve = [&](const MessageSocket& watchers, const RootDir& own) {
                                       serve_footprints(watchers, own, [&](const OpaqueProcess& process) {
                                           return watch->begin(process, std::chrono::steady_clock::now());
                                       });
                                   }};
    std::unique_ptr<HelperProcess> worker;
    for (;;) {
        const auto message = socket.receive(no_end);
        if (!message)
            return;
        const auto order = *message ? parse_footprint_order((*message)->text) : Result<FootprintOrder>(Error(EINTR, ""));
        if (!order)
            continue;
        watch->prepare(root, std::chrono::steady_clock::now());
        Result<void> started;
        if (!worker)
            started = start_worker(root, work, worker);
        auto reply = started ? ask_worker(*worker, (*message)->text, *watch, deadline) : Result<std::string>(started.error());
        if (!reply) {
            worker.reset();
            Error problem = reply.error();
            if (const auto stuck = problem.code() == ETIMEDOUT ? watch->give_up() : std::nullopt)
                problem = Error(ETIMEDOUT, *stuck + " does not let its files be read; its memory counts as unknown from now on");
            reply = text_of(FootprintReply{order->number, {}, problem.code() == 0 ? EIO : problem.code(), problem.message(), {}});
        }
        if (!send_long(socket, *reply))
            return;
    }
}

Result<std::shared_ptr<FootprintHelper>> FootprintHelper::start(const RootDir& root) {
    auto process = HelperProcess::start(
        root, {.name = helper_name,
               .capabilities = footprint_capabilities,
               .serve = [](const MessageSocket& socket, const RootDir& own) { watch_footprints(socket, own, worker_deadline); }});
    if (!process)
        return std::move(process).error();
    return std::make_shared<FootprintHelper>(*std::move(process), Waits());
}

Result<std::optional<FootprintReply>> FootprintHelper::take_reply(Clock::time_point until) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        const auto text = receive_long(process_->socket(), std::max(left, no_wait));
        if (!text)
            return of_socket(text.error());
        if (!*text) {
            if (left <= no_wait)
                return std::optional<FootprintReply>();
            continue;  // a signal, or the time is over
        }
        // An order has one reply, so this one ends the waiting even if it makes no sense.
        is_waiting_ = false;
        auto reply = parse_footprint_reply(**text);
        if (!reply)
            return std::move(reply).error();
        if (reply->number != number_)
            return Error(EINVAL, "it replied to another order");
        cpu_time_ += reply->cpu_time;
        return std::optional(*std::move(reply));
    }
}

Result<void> FootprintHelper::begin(FootprintOrder::Kind kind, const std::vector<std::string>& transparent_cgroups) {
    reply_.reset();
    if (is_waiting_) {
        // What an old order found out is out of date.
        const auto old = take_reply(Clock::now());
        if (is_waiting_)
            return of_footprints(old ? late() : old.error());
    }
    const std::string text = text_of(FootprintOrder{++number_, kind, transparent_cgroups});
    if (const auto sent = process_->socket().send(text); !sent)
        return of_footprints(of_socket(sent.error()));
    is_waiting_ = true;
    begun_ = Clock::now();
    return {};
}

bool FootprintHelper::is_over() {
    if (reply_)
        return true;
    auto reply = take_reply(Clock::now());
    if (!reply)
        reply_ = std::move(reply).error();
    else if (*reply)
        reply_ = **std::move(reply);
    return reply_ || Clock::now() >= begun_ + waits_.ahead;
}

Result<FootprintMap> FootprintHelper::end() {
    if (!is_over()) {
        auto awaited = take_reply(begun_ + waits_.blocking);
        if (!awaited)
            reply_ = std::move(awaited).error();
        else if (*awaited)
            reply_ = **std::move(awaited);
    }
    const auto reply = std::exchange(reply_, std::nullopt);
    if (!reply)
        return of_footprints(late());
    if (!*reply)
        return of_footprints(reply->error());
    if ((*reply)->error_code != 0)
        return Error((*reply)->error_code, (*reply)->problem);
    return (*reply)->footprints;
}

Result<FootprintMap> FootprintHelper::ask(FootprintOrder::Kind kind, const std::vector<std::string>& transparent_cgroups) {
    const auto begun = begin(kind, transparent_cgroups);
    return begun ? end() : Result<FootprintMap>(begun.error());
}

Result<HelpedFootprints> HelpedFootprints::open(std::shared_ptr<FootprintHelper> helper) {
    auto opened = helper->ask(FootprintOrder::Kind::open);
    if (!opened)
        return std::move(opened).error();
    return HelpedFootprints(std::move(helper));
}

void HelpedFootprints::begin_read(const std::vector<std::string>& transparent_cgroups) {
    if (std::exchange(is_clearing_, false)) {
        if (const auto cleared = helper_->end(); !cleared)
            failed_ = cleared.error();
    }
    if (failed_ || is_reading_)
        return;
    const auto begun = helper_->begin(FootprintOrder::Kind::read, transparent_cgroups);
    is_reading_ = begun.has_value();
    if (!begun)
        failed_ = begun.error();
}

bool HelpedFootprints::prepare(const std::vector<std::string>& transparent_cgroups) {
    if (is_clearing_ && !helper_->is_over())
        return false;
    begin_read(transparent_cgroups);
    return failed_ || helper_->is_over();
}

Result<FootprintMap> HelpedFootprints::read(const std::vector<std::string>& transparent_cgroups) {
    begin_read(transparent_cgroups);
    is_reading_ = false;
    if (const auto failed = std::exchange(failed_, std::nullopt))
        return *failed;
    return helper_->end();
}

Result<void> HelpedFootprints::clear() {
    auto begun = helper_->begin(FootprintOrder::Kind::clear);
    is_clearing_ = begun.has_value();
    return begun;
}

bool HelpedOpenFiles::prepare(const std::vector<std::string>& transparent_cgroups) {
    if (!begun_)
        begun_ = helper_->begin(kinds_ == FileKinds::unmapped ? FootprintOrder::Kind::unmapped : FootprintOrder::Kind::files,
                                transparent_cgroups);
    return !*begun_ || helper_->is_over();
}

Result<core::ReadFilesByCgroup> HelpedOpenFiles::read(const std::vector<std::string>& transparent_cgroups) {
    static_cast<void>(prepare(transparent_cgroups));
    const Result<void> begun = *std::exchange(begun_, std::nullopt);
    const auto reply = begun ? helper_->end() : Result<FootprintMap>(begun.error());
    if (!reply)
        return reply.error();
    core::ReadFilesByCgroup files;
    for (const auto& [cgroup, footprint] : *reply)
        files[cgroup] = files_of(footprint);
    return files;
}

}  // namespace tmm::os
