// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/commands.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "tmmd/ctl/views/explain.hpp"
#include "tmmd/ctl/views/history.hpp"
#include "tmmd/ctl/views/soft.hpp"
#include "tmmd/ctl/views/status.hpp"
#include "tmmd/ctl/views/top.hpp"
#include "tmmd/ctl/views/watch.hpp"

namespace tmm::ctl {

namespace {

constexpr std::uint32_t default_decisions = 20;

std::time_t in_seconds(std::uint64_t time_us) {
    return static_cast<std::time_t>(time_us / 1'000'000);
}

Result<int> status(Client& client, const Options& options, const CommandEnvironment& environment) {
    const auto status = client.status();
    if (!status)
        return status.error();
    if (options.quiet)
        return exit_of_state(status->state);
    const auto contributions = client.contributions();
    if (!contributions)
        return contributions.error();
    if (options.json) {
        environment.out(status_json(*status).add("contributions", contributions_json(*contributions)).str() + "\n");
        return EXIT_SUCCESS;
    }
    std::vector<BoincTask> tasks;
    if (std::any_of(contributions->begin(), contributions->end(), is_boinc))
        tasks = environment.boinc_tasks();
    environment.out(format_status(*status, *contributions, in_seconds(environment.now_us()), environment.screen(), tasks));
    return EXIT_SUCCESS;
}

// Prints the state after a change. Where the administrator is stricter, it differs from the wanted one.
Result<int> show_change(Client& client, const Options& options, const CommandEnvironment& environment, const Result<void>& done) {
    if (!done)
        return done.error();
    const auto status = client.status();
    if (!status)
        return status.error();
    if (options.json) {
        environment.out(status_json(*status).str() + "\n");
        return EXIT_SUCCESS;
    }
    const Screen screen = environment.screen();
    const std::string state = printable(state_sentence(*status, in_seconds(environment.now_us())));
    environment.out(coloured(screen, colour_of_state(status->state), state) + ": " + printable(status->reason) + "\n");
    return EXIT_SUCCESS;
}

// Finds the contribution that the user means. Error: ENOENT no such, EINVAL more than one.
Result<wire::Contribution> find_contribution(const std::vector<wire::Contribution>& all, const std::string& wanted) {
    std::vector<wire::Contribution> found;
    std::string objects;
    for (const wire::Contribution& one : all) {
        if (one.object == wanted)
            return one;
        // As it is, or as 'tmmctl status' shows it.
        if (one.name.empty() || (one.name != wanted && printable(one.name) != wanted))
            continue;
        found.push_back(one);
        objects += (objects.empty() ? "" : " ") + one.object;
    }
    const std::string quoted = "'" + printable(wanted) + "'";
    if (found.empty())
        return Error(ENOENT, "there is no contribution " + quoted + " whose name you may see; 'tmmctl status' shows their names");
    if (found.size() > 1)
        return Error(EINVAL, std::to_string(found.size()) + " contributions have the name " + quoted +
                                 "; name one by its object: " + objects);
    return found.front();
}

// Steers one contribution and prints its state then.
Result<int> steer(Client& client, const Options& options, const CommandEnvironment& environment, Steering what) {
    const auto before = client.contributions();
    if (!before)
        return before.error();
    auto wanted = find_contribution(*before, *options.contribution);
    if (!wanted && what == Steering::pause && wanted.error().code() == ENOENT)
        return Error(ENOENT, wanted.error().message() + "; the length of a pause of all is written like 30min or 1h30min");
    if (!wanted)
        return std::move(wanted).error();
    const auto done = client.steer(wanted->object, what);
    if (!done && done.error().code() == ENOENT)
        return Error(ENOENT, "'" + printable(*options.contribution) + "' ended in the meantime");
    if (!done)
        return done.error();
    const auto now = client.contributions();
    if (!now)
        return now.error();
    const auto there = std::find_if(now->begin(), now->end(), [&](const auto& one) { return one.object == wanted->object; });
    if (there != now->end())
        *wanted = *there;
    else
        wanted->state = "ended";
    if (options.json)
        environment.out(contribution_json(*wanted) + "\n");
    else
        environment.out(printable(wanted->name.empty() ? wanted->object : wanted->name) + ": " + printable(wanted->state) + "\n");
    return EXIT_SUCCESS;
}

Result<int> limit(Client& client, const Options& options, const CommandEnvironment& environment) {
    if (options.caps != wire::CapsChange{}) {
        const auto set = client.set_caps(options.caps);
        if (!set)
            return set.error();
    }
    const auto status = client.status();
    if (!status)
        return status.error();
    environment.out(options.json ? caps_json(status->caps) + "\n" : format_caps(status->caps));
    return EXIT_SUCCESS;
}

Result<int> history(Client& client, const Options& options, const CommandEnvironment& environment) {
    const auto rows = client.history(options.resolution);
    if (!rows)
        return rows.error();
    environment.out(options.json  ? history_json(options.resolution, *rows)
                    : options.csv ? history_csv(*rows)
                                  : format_history(*rows, environment.screen()));
    return EXIT_SUCCESS;
}

Result<int> explain(Client& client, const Options& options, const CommandEnvironment& environment) {
    const auto status = client.status();
    if (!status)
        return status.error();
    const auto decisions = client.decisions(options.count.value_or(default_decisions));
    if (!decisions)
        return decisions.error();
    environment.out(options.json ? decisions_json(*status, *decisions)
                                 : format_decisions(*status, *decisions, in_seconds(environment.now_us()), environment.screen()));
    return EXIT_SUCCESS;
}

// Sets what the options name of the owner's wishes for soft memory.
Result<void> set_soft(Client& client, const Options& options, const CommandEnvironment& environment) {
    if (options.soft_max_bytes)
        return client.set_soft_cap(*options.soft_max_bytes);
    if (!options.soft_weight)
        return {};
    const auto& [name, weight] = *options.soft_weight;
    const auto number = parse_uint(name);
    const bool is_id = number && *number < UINT32_MAX;
    const auto user = is_id ? std::optional(static_cast<std::uint32_t>(*number)) : environment.user_id(name);
    if (!user)
        return Error(EINVAL, "there is no user '" + printable(name) + "'");
    return client.set_soft_weight({*user, weight});
}

Result<int> soft(Client& client, const Options& options, const CommandEnvironment& environment) {
    const auto set = set_soft(client, options, environment);
    if (!set)
        return set.error();
    const auto shares = client.soft_shares();
    if (!shares)
        return shares.error();
    const auto heaps = client.soft_heaps();
    if (!heaps)
        return heaps.error();
    // Names are for people; without them the numbers of the processes say enough.
    const auto processes = environment.processes();
    environment.out(options.json
                        ? soft_json(*heaps, *shares)
                        : format_soft(*heaps, *shares, processes ? *processes : std::vector<Process>(), environment.screen()));
    return EXIT_SUCCESS;
}

Result<int> top(Client& client, const Options& options, const CommandEnvironment& environment) {
    // Without a terminal a script or a pipe reads: it can use one table.
    const bool live = environment.screen().is_terminal || options.json;
    const std::uint32_t updates = options.count.value_or(live ? 0 : 1);  // 0: no end
    for (std::uint32_t update = 0; updates == 0 || update < updates; ++update) {
        if (update > 0)
            environment.sleep(options.delay);
        const auto status = client.status();
        if (!status)
            return status.error();
        const auto contributions = client.contributions();
        if (!contributions)
            return contributions.error();
        const auto processes = environment.processes();
        if (!processes)
            return processes.error();
        const Screen screen = environment.screen();
        std::string text = options.json
                               ? top_json(*status, *contributions, *processes)
                               : format_top(*status, *contributions, *processes, in_seconds(environment.now_us()), screen);
        if (screen.is_terminal && !options.json)
            text = "\x1b[H\x1b[2J" + text;  // cursor home, clear the screen
        else if (update > 0 && !options.json)
            text = "\n" + text;
        if (!environment.out(text))
            break;
    }
    return EXIT_SUCCESS;
}

// Keeps the names of contributions by their objects, since one that has ended has no name to ask for.
class Names {
public:
    void refresh(Client& client) {
        const auto contributions = client.contributions();
        if (!contributions)
            return;  // events then show the object
        names_.clear();
        for (const wire::Contribution& contribution : *contributions)
            names_[contribution.object] = contribution.name;
    }
    [[nodiscard]] std::string of(const std::string& object) const {
        const auto found = names_.find(object);
        return found == names_.end() ? "" : found->second;
    }

private:
    std::map<std::string, std::string> names_;
};

void add_name(Client& client, Names& names, Event& event) {
    const bool added = event.kind == Event::Kind::contribution_added;
    if (!added && event.kind != Event::Kind::contribution_removed)
        return;
    if (added)
        names.refresh(client);
    event.text = names.of(event.subject);
}

Result<int> watch(Client& client, const Options& options, const CommandEnvironment& environment) {
    Event event;  // the first line shows the present state
    Names names;
    names.refresh(client);
    for (;;) {
        auto status = Result<wire::Status>(wire::Status{});
        if (event.kind == Event::Kind::changed || event.kind == Event::Kind::daemon_back)
            status = client.status();
        if (!status && status.error().code() != ENOTCONN)
            return status.error();
        // If the daemon ended in between, the next event says so.
        if (status) {
            const std::uint64_t now_us = environment.now_us();
            if (!environment.out(options.json ? event_json(event, *status, now_us)
                                              : format_event(event, *status, now_us, environment.screen())))
                return EXIT_SUCCESS;
        }
        auto next = client.next_event();
        if (!next)
            return std::move(next).error();
        event = *std::move(next);
        add_name(client, names, event);
    }
}

}  // namespace

Result<int> run_command(Client& client, const Options& options, const CommandEnvironment& environment) {
    switch (options.command) {
        case Command::top:
            return top(client, options, environment);
        case Command::watch:
            return watch(client, options, environment);
        case Command::stop:
            return steer(client, options, environment, Steering::stop);
        case Command::pause:
            if (options.contribution)
                return steer(client, options, environment, Steering::pause);
            return show_change(client, options, environment, client.pause(options.pause));
        case Command::resume:
            if (options.contribution)
                return steer(client, options, environment, Steering::resume);
            return show_change(client, options, environment, client.resume());
        case Command::off:
        case Command::on:
            return show_change(client, options, environment, client.set_on(options.command == Command::on));
        case Command::limit:
            return limit(client, options, environment);
        case Command::history:
            return history(client, options, environment);
        case Command::explain:
            return explain(client, options, environment);
        case Command::soft:
            return soft(client, options, environment);
        default:
            return status(client, options, environment);
    }
}

}  // namespace tmm::ctl
