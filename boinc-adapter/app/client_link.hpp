// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ClientLink: the way to the client that the owner named. It finds the client's process, sees whether the kernel has frozen it,
// leaves other clients alone, and connects the adapter's session in an sd-event loop. It never blocks. It logs the loss of the
// connection once. Used from one thread.
#pragma once

#include <systemd/sd-event.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "boinc-adapter/app/adapter.hpp"
#include "boinc-adapter/app/client/connection.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/app/options.hpp"
#include "boinc-adapter/policy/donation/other_clients.hpp"

namespace tmm::boinc {

class ClientLink {
public:
    // root: "/". answered: called when the adapter has taken answers. All but options must outlive it.
    ClientLink(const Options& options, const Log& log, const RootDir& root, Files& files, Adapter& adapter, sd_event* event,
               std::function<void()> answered);
    ClientLink(const ClientLink&) = delete;
    ClientLink& operator=(const ClientLink&) = delete;
    ~ClientLink() { sd_event_source_disable_unref(socket_); }

    // Error: the owner of the client's directory cannot be read.
    Result<void> start();

    // Looks for the client's process. Tells the adapter when it is frozen or, unless the adapter ends, thawed.
    void look_at_client(bool ends, Now moment);
    // Looks for other clients now and then, and tells the adapter of them.
    void look_for_others(Now moment);
    // Gives up a client that does not answer; connects when it is time.
    void keep_connection(Now moment);
    // Reads and writes as much as can be at once.
    void process();

    // none: it does not run.
    [[nodiscard]] std::optional<pid_t> client() const { return own_.pid; }
    [[nodiscard]] bool is_frozen() const { return is_frozen_; }
    // Returns whether the client runs and is no contribution.
    [[nodiscard]] bool is_outside() const;
    // Returns why the client does not answer, for people. Empty: it answers, or none runs.
    [[nodiscard]] std::string silence() const { return reason_of_silence(own_, wrong_, problems_.current()); }

private:
    static int on_socket(sd_event_source* source, int fd, std::uint32_t events, void* data);
    void see_others(Now moment);
    void connect();
    void close(const std::string& reason);

    const Log& log_;
    const RootDir& root_;
    Files& files_;
    Adapter& adapter_;
    sd_event* event_;
    std::function<void()> answered_;
    ProblemLog problems_;
    OwnClient own_;
    std::optional<std::uint16_t> port_;  // that the owner named
    std::string wrong_;                  // why it does not connect; empty: it may
    std::vector<SeenClient> seen_;
    std::vector<std::string> others_;  // as logged
    std::chrono::milliseconds look_for_others_at_{0};
    bool is_frozen_ = false;
    Connection connection_;
    sd_event_source* socket_ = nullptr;
};

}  // namespace tmm::boinc
