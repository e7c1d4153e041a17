// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/client_answers.hpp"

#include <utility>

#include "boinc-adapter/policy/tasks/measured_task.hpp"
#include "boinc-adapter/rpc/replies.hpp"

namespace tmm::boinc {

namespace {

// The client's whole state takes it long to write.
constexpr std::chrono::minutes works_interval{1};
// Until a task that may run is known, the limit cannot fall.
constexpr std::chrono::seconds urgent_works_interval{8};
// A state that was too long will be so again. Without it, the limit does not fall while a new task is there.
constexpr std::chrono::minutes lost_works_interval{10};

template <typename T, typename Kept>
Result<void> keep(Result<T> parsed, Kept& kept) {
    if (!parsed)
        return std::move(parsed).error();
    kept = *std::move(parsed);
    return {};
}

}  // namespace

Result<void> ClientAnswers::take(Question question, std::string_view reply) {
    switch (question) {
        case Question::versions:
            return keep(parse_version(reply), version_);
        case Question::host:
            (void)keep(parse_swap_bytes(reply), swap_bytes_);
            return keep(parse_memory_bytes(reply), memory_bytes_);
        case Question::works: {
            awaits_works_ = false;
            auto kept = keep(parse_works(reply), works_);
            has_lost_works_ = !kept;
            works_problem_ = kept ? std::string() : "BOINC's works: " + kept.error().message();
            return kept;
        }
        case Question::mode:
            return keep(parse_mode(reply), mode_);
        case Question::tasks:
            return keep(parse_tasks(reply), tasks_);
        case Question::preferences:
        case Question::check:
            return keep(parse_swap_percent(reply), swap_percent_);
    }
    return {};
}

std::optional<std::uint64_t> ClientAnswers::address_limit() const {
    constexpr Version first{8, 2, 14};
    if (!version_ || *version_ < first || swap_bytes_ == 0 || swap_percent_ == 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(static_cast<double>(swap_bytes_) * swap_percent_ / 100);
}

void ClientAnswers::begin_turn() {
    mode_.reset();
    tasks_.reset();
}

bool ClientAnswers::wants_works(Now now) const {
    bool has_unknown = false;
    bool may_run = false;
    for (const Task& task : *tasks_) {
        if (!task.is_unfinished || works_.contains(task.work_name))
            continue;
        MeasuredTask measured;
        measured.task = task;
        has_unknown = true;
        may_run = may_run || facts_of(measured).may_run();
    }
    const std::chrono::milliseconds interval =
        has_lost_works_ ? lost_works_interval : (may_run ? std::chrono::milliseconds(urgent_works_interval) : works_interval);
    return has_unknown && (!asked_works_at_ || now.elapsed - *asked_works_at_ >= interval);
}

void ClientAnswers::asked_for_works(Now now) {
    asked_works_at_ = now.elapsed;
    awaits_works_ = true;
}

void ClientAnswers::forget() {
    version_.reset();
    memory_bytes_.reset();
    swap_bytes_ = 0;
    swap_percent_ = 0;
    works_.clear();
    works_problem_.clear();
    has_lost_works_ = std::exchange(awaits_works_, false) || has_lost_works_;
    if (!has_lost_works_)
        asked_works_at_.reset();
}

}  // namespace tmm::boinc
