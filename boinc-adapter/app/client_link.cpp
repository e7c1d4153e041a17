// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client_link.hpp"

#include <algorithm>
#include <utility>

#include "boinc-adapter/app/client/seen_clients.hpp"
#include "boinc-adapter/app/clocks.hpp"
#include "boinc-adapter/discovery/client_process.hpp"
#include "boinc-adapter/discovery/port_listener.hpp"
#include "boinc-adapter/discovery/process_tree.hpp"
#include "boinc-adapter/discovery/running_clients.hpp"

namespace tmm::boinc {

namespace {

// Clients come and go seldom, and to look at all processes costs some milliseconds.
constexpr std::chrono::minutes others_interval{1};

}  // namespace

ClientLink::ClientLink(const Options& options, const Log& log, const RootDir& root, Files& files, Adapter& adapter,
                       sd_event* event, std::function<void()> answered)
    : log_(log),
      root_(root),
      files_(files),
      adapter_(adapter),
      event_(event),
      answered_(std::move(answered)),
      problems_(log),
      own_{without_links(options.data_dir), 0, {}, {}},
      port_(options.port),
      connection_(adapter.session(), options.socket) {
    if (options.socket.empty())
        own_.port = port_.value_or(find_port(root_, {}));
}

Result<void> ClientLink::start() {
    const auto owner = files_.data_owner();
    if (!owner)
        return owner.error();
    own_.uid = *owner;
    return {};
}

void ClientLink::look_at_client(bool ends, Now moment) {
    own_.pid = files_.find_client();
    const bool was_frozen = std::exchange(is_frozen_, own_.pid && boinc::is_frozen(root_, *own_.pid));
    if (is_frozen_)
        adapter_.client_is_frozen(moment);
    else if (was_frozen && !ends)
        adapter_.await_tmmd();
}

void ClientLink::look_for_others(Now moment) {
    if (moment.elapsed >= look_for_others_at_)
        see_others(moment);
}

void ClientLink::see_others(Now moment) {
    look_for_others_at_ = moment.elapsed + others_interval;
    seen_ = see_clients(root_, own_.uid);
    std::vector<std::string> sentences = sentences_of_others(own_, seen_);
    for (const std::string& sentence : sentences) {
        if (std::find(others_.begin(), others_.end(), sentence) == others_.end())
            log_.info(sentence);
    }
    others_ = sentences;
    adapter_.set_other_clients(std::move(sentences));
}

bool ClientLink::is_outside() const {
    return own_.pid && !is_below_transparent_slice(root_, *own_.pid);
}

void ClientLink::keep_connection(Now moment) {
    if (adapter_.session().expired(moment.elapsed))
        close("the BOINC client does not answer");
    if (adapter_.session().wants_connection(moment.elapsed))
        connect();
}

void ClientLink::connect() {
    if (own_.port)
        own_.port = port_ ? *port_ : find_port(root_, own_.pid);
    wrong_.clear();
    if (own_.port) {
        const auto listener = find_listener(*own_.port);
        if (listener) {
            see_others(now());
            wrong_ = reason_not_to_connect(own_, *listener, seen_);
        }
        if (!listener || !wrong_.empty()) {
            adapter_.session().begin(now().elapsed);
            close(listener ? wrong_ : listener.error().message());
            return;
        }
    }
    adapter_.set_password(files_.read_password());
    const auto opened = connection_.open(own_.port.value_or(0), now().elapsed);
    if (!opened) {
        close(opened.error().message());
        return;
    }
    sd_event_add_io(event_, &socket_, connection_.fd(), static_cast<std::uint32_t>(connection_.events()), on_socket, this);
}

void ClientLink::close(const std::string& reason) {
    problems_.warn(reason, "; trying again");
    // Before the file, which epoll still knows, is closed.
    socket_ = sd_event_source_disable_unref(socket_);
    connection_.close(now().elapsed);
    adapter_.lost();
}

int ClientLink::on_socket(sd_event_source* /*source*/, int /*fd*/, std::uint32_t /*events*/, void* data) {
    static_cast<ClientLink*>(data)->process();
    return 0;
}

void ClientLink::process() {
    if (!connection_.is_open())
        return;
    // Answers give new requests.
    const bool was_open = adapter_.session().is_open();
    for (int round = 0; round < 2; ++round) {
        const auto done = connection_.process(now().elapsed);
        if (!done) {
            close(done.error().message());
            return;
        }
        adapter_.take_answers(now());
    }
    answered_();
    if (!was_open && adapter_.session().is_open()) {
        problems_.solve();
        adapter_.begin_turn(now());
        const auto done = connection_.process(now().elapsed);
        if (!done) {
            close(done.error().message());
            return;
        }
    }
    sd_event_source_set_io_events(socket_, static_cast<std::uint32_t>(connection_.events()));
}

}  // namespace tmm::boinc
