// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/pager.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/units.hpp"
#include "farmem/pager/cgroup_room.hpp"
#include "farmem/pager/control.hpp"
#include "farmem/pager/handshake.hpp"
#include "farmem/pager/random_number.hpp"
#include "farmem/stores/open_store.hpp"

namespace tmm::far {

namespace {

constexpr std::size_t max_callers = 256;
constexpr int check_ms = 500;
constexpr int full_ms = 10;
constexpr int peer_pidfd = 77;  // SO_PEERPIDFD, Linux 6.5

// Of the whole, from 0 to 1; "-" of nothing.
std::string share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-" : format_fixed(static_cast<double>(part) / static_cast<double>(whole), 3);
}

std::string microseconds(std::chrono::nanoseconds time) {
    return format_fixed(static_cast<double>(time.count()) / 1000, 1);
}

}  // namespace

void Pager::run(int stop) {
    while (!(ends_when_idle_ && was_asked_ && programs_.empty() && !is_busy_aside())) {
        std::vector<pollfd> waits{{.fd = stop, .events = POLLIN, .revents = 0},
                                  {.fd = listener_.get(), .events = POLLIN, .revents = 0}};
        for (const Caller& caller : callers_)
            waits.push_back({.fd = caller.socket.get(), .events = POLLIN, .revents = 0});
        ::poll(waits.data(), waits.size(), check_ms);
        if (waits[0].revents != 0)
            return;
        for (std::size_t i = callers_.size(); i > 0; --i) {
            if (waits[i + 1].revents != 0 && !hear(callers_[i - 1]))
                callers_.erase(callers_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
        if (waits[1].revents != 0)
            accept();
        for (auto program = programs_.begin(); program != programs_.end();) {
            // The end of its store may take a while.
            if (program->second->has_ended())
                aside([ended = std::move((program++)->second)]() mutable { ended.reset(); });
            else
                ++program;
        }
        std::erase_if(programs_, [](const auto& program) { return !program.second; });
        follow_cgroups();
    }
}

void Pager::follow_cgroups() {
    const auto now = std::chrono::steady_clock::now();
    if (now < follows_at_)
        return;
    follows_at_ = now + std::chrono::milliseconds(check_ms);
    std::erase_if(followers_, [&](const auto& follower) { return !find(follower.first); });
    FarReport::Bytes far;
    for (const auto& [name, follower] : followers_) {
        const auto cgroup = cgroup_of(root_, follower.pid);
        if (!cgroup)
            continue;
        const Paging::Status status = find(name)->status();
        const std::int64_t room = cgroup_room(root_, *cgroup);
        find(name)->set_limit(follow(status.used_pages * page_bytes, room, min_limit_bytes, follower.max_bytes) / page_bytes);
        far[*cgroup] += status.far_pages * page_bytes;
    }
    report_.tell(std::move(far));
}

void Pager::accept() {
    UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    ucred peer{};
    socklen_t length = sizeof peer;
    // Without a file for it, the caller goes on waiting.
    if (!socket && (errno == EMFILE || errno == ENFILE))
        ::poll(nullptr, 0, full_ms);
    if (!socket || ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        return;
    int process = -1;
    length = sizeof process;
    if (peer.uid != ::geteuid() || callers_.size() >= max_callers ||
        ::getsockopt(socket.get(), SOL_SOCKET, peer_pidfd, &process, &length) != 0)
        return;
    Caller caller;
    caller.process = UniqueFd(process);
    caller.socket = std::move(socket);
    caller.pid = peer.pid;
    callers_.push_back(std::move(caller));
}

bool Pager::hear(Caller& caller) {
    MessageSocket socket(UniqueFd(::dup(caller.socket.get())));
    auto received = socket.receive(no_wait, 1);
    if (!received)
        return false;
    if (!*received)
        return true;
    const std::string& text = (*received)->text;
    HandMessage message{};
    std::memcpy(&message, text.data(), std::min(text.size(), sizeof message));
    if (text.size() == short_message_bytes && message.kind == MessageKind::hello) {
        const auto program = programs_.find(std::string(message.name, ::strnlen(message.name, sizeof message.name)));
        if (program != programs_.end() && aside_.size() < max_callers)
            aside(
                [this, hello = message, own = std::make_shared<Caller>(std::move(caller)), program = program->second]() mutable {
                    shake_hands(std::move(own->socket), std::move(own->process), hello, *program, device_, log_);
                    // The task may be kept longer, and the program's end takes a while.
                    program.reset();
                });
        return false;
    }
    return socket.send(carry_out(text, caller)).has_value();
}

bool Pager::is_busy_aside() {
    std::erase_if(aside_, [](const auto& one) { return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    return !aside_.empty();
}

// The program may wait for its store: others do not.
void Pager::aside(std::function<void()> task) {
    (void)is_busy_aside();
    try {
        aside_.push_back(std::async(std::launch::async, std::move(task)));
    } catch (const std::system_error& error) {
        log_.error(std::string("no thread: ") + error.what());
    }
}

ProgramThread* Pager::find(const std::string& name) {
    const auto program = programs_.find(name);
    return program == programs_.end() ? nullptr : program->second.get();
}

std::string Pager::carry_out(std::string_view line, Caller& caller) {
    const auto command = parse_command(line);
    if (!command)
        return "error: " + command.error().message();
    if (command->kind == Command::Kind::status)
        return status();
    if (command->kind == Command::Kind::run) {
        const auto started = run_program(*command, caller);
        return started ? *started : "error: " + started.error().message();
    }
    ProgramThread* const program = find(command->name);
    if (!program)
        return "error: no program '" + command->name + "' is on far memory";
    if (command->kind == Command::Kind::stop) {
        program->stop();
        return "ok";
    }
    if (command->kind == Command::Kind::record) {
        auto recorder = Recorder::create(command->path, random_number());
        if (!recorder)
            return "error: " + recorder.error().message();
        program->record(std::move(*recorder));
        return "ok";
    }
    program->set_limit(command->limit_bytes / page_bytes);
    // Of one that follows its cgroup, the most.
    if (const auto follower = followers_.find(command->name); follower != followers_.end())
        follower->second.max_bytes = command->limit_bytes;
    return "ok";
}

Result<std::string> Pager::run_program(const Command& command, Caller& caller) {
    was_asked_ = true;
    if (find(command.name))
        return Error(EEXIST, "'" + command.name + "' is already on far memory; --name=NAME gives another name");
    if (auto opened = device_.open(); !opened)
        return std::move(opened).error();
    const auto parts = parse_without(command.without);
    if (!parts)
        return parts.error();
    auto store = open_store(command.store, parts->spin);
    if (!store)
        return std::move(store).error();
    UniqueFd main(::fcntl(caller.process.get(), F_DUPFD_CLOEXEC, 0));
    if (!main)
        return Error::from_errno(errno, "pidfd");
    auto program = ProgramThread::start(command, std::move(main), std::move(*store), {in_, out_}, log_);
    if (!program)
        return std::move(program).error();
    programs_[command.name] = std::move(*program);
    if (command.follows)
        followers_[command.name] = {caller.pid, command.limit_bytes};
    return std::string("ok");
}

// One line a program, one word a value.
std::string Pager::status() {
    std::string text = "ok\n";
    for (const auto& [name, program] : programs_) {
        const Paging::Status now = program->status();
        text += name;
        const auto add = [&](const char* key, const std::string& value) { text += std::string(" ") + key + "=" + value; };
        const auto bytes = [](std::uint64_t pages) { return std::to_string(pages * page_bytes); };
        add("limit", bytes(now.limit_pages));
        add("local", bytes(now.local_pages));
        add("far", bytes(now.far_pages));
        add("write-list", bytes(now.listed_pages));
        add("processes", std::to_string(now.nr_processes));
        add("faults", std::to_string(now.faults));
        add("faults/s", format_fixed(now.rates.faults_per_second(), 0));
        add("p50-us", microseconds(now.p50));
        add("p99-us", microseconds(now.p99));
        add("zero-fills", std::to_string(now.counters.zero_fills));
        add("slot-hits", std::to_string(now.counters.slot_hits));
        add("fetches", std::to_string(now.counters.fetches));
        add("prefetches", std::to_string(now.counters.prefetches));
        add("evictions", std::to_string(now.counters.evictions));
        add("clean", std::to_string(now.counters.clean_evictions));
        add("refusals", std::to_string(now.counters.refusals));
        add("allocations", std::to_string(now.counters.allocations));
        add("reservations", std::to_string(now.counters.reservations));
        add("cancellations", std::to_string(now.counters.cancellations));
        add("weight", std::to_string(now.weight));
        add("link-bytes", std::to_string(now.link.bytes));
        add("link-share", share(now.link.bytes, now.link.all_bytes));
        add("link-share-now", format_fixed(now.rates.link_share(), 3));
        add("accuracy", share(now.counters.used, now.counters.used + now.counters.unused));
        add("coverage", share(now.counters.used, now.counters.used + now.counters.fetches));
        add("timeliness", share(now.counters.used - std::min(now.counters.used, now.late_hits), now.counters.used));
        add("dropped", std::to_string(now.dropped));
        add("waited-ms", std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now.waited).count()));
        add("waiting", format_fixed(now.rates.waiting(), 1));
        add("store", now.store);
        text += "\n";
    }
    return text;
}

}  // namespace tmm::far
