// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// HelpedFootprints, HelpedOpenFiles: have a helper process read footprints, clear references, and look at open files. The helper
// has CAP_SYS_PTRACE and CAP_DAC_OVERRIDE, which /proc/PID/smaps_rollup, clear_refs and fdinfo need. The first two wait for a
// lock of the process that they are about, so it is the helper that hangs if the process never lets go
// (docs/decisions/stock-kernels.md). Called from one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/messages/message_socket.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/helper/helper_process.hpp"
#include "tmmd/os/sources/counts/footprint_messages.hpp"
#include "tmmd/os/sources/counts/footprints.hpp"
#include "tmmd/os/sources/files/open_files.hpp"

namespace tmm::os {

// FootprintHelper: tmmd's end of the helper. It outlives the sources that use it, one at a time.
class FootprintHelper {
public:
    struct Waits {
        // tmmd stands still meanwhile, so this is far below the watchdog of its unit. To read 64 GiB takes 1 s of processor time
        // (docs/decisions/stock-kernels.md).
        std::chrono::milliseconds blocking{5000};
        // tmmd works meanwhile, and takes the epoch to be longer. A busy machine may give the helper little time.
        std::chrono::milliseconds ahead{30000};
    };

    // Starts the helper. Error: of HelperProcess::start().
    static Result<std::shared_ptr<FootprintHelper>> start(const RootDir& root);

    // waits: for each reply, since its order.
    FootprintHelper(std::unique_ptr<HelperProcess> process, Waits waits) : process_(std::move(process)), waits_(waits) {}

    // Gives an order, without waiting. Error: EPIPE, the helper has ended, and no other takes its place; ETIMEDOUT, it has not
    // replied to an earlier order yet.
    Result<void> begin(FootprintOrder::Kind kind, const std::vector<std::string>& transparent_cgroups = {});
    // Returns whether the reply has come, or is too late even for an order that was given ahead. Then end() does not wait.
    [[nodiscard]] bool is_over();
    // Returns the result of the order, for which it waits no longer than a blocking order may take. Call it once for each that
    // was given. Error: of the helper; EPIPE, it has ended; ETIMEDOUT, it has not replied in time.
    Result<FootprintMap> end();
    // Has an order carried out. Error: of begin() and end().
    Result<FootprintMap> ask(FootprintOrder::Kind kind, const std::vector<std::string>& transparent_cgroups = {});

    // Returns whether the helper has ended, without waiting.
    [[nodiscard]] bool has_ended() const { return process_->socket().is_closed(); }
    // Returns the processor time that the orders took, as far as their replies have come.
    [[nodiscard]] core::Seconds cpu_time() const { return cpu_time_; }
    [[nodiscard]] pid_t pid() const { return process_->pid(); }

private:
    using Clock = std::chrono::steady_clock;

    // Takes a reply that comes until then. Returns nothing if none comes.
    Result<std::optional<FootprintReply>> take_reply(Clock::time_point until);

    std::unique_ptr<HelperProcess> process_;
    Waits waits_;
    std::uint64_t number_ = 0;                     // of the latest order
    bool is_waiting_ = false;                      // for its reply
    Clock::time_point begun_;                      // when it was given
    std::optional<Result<FootprintReply>> reply_;  // to it, if is_over() took it
    core::Seconds cpu_time_{0};
};

class HelpedFootprints : public Footprints {
public:
    // Error: of ProcFootprints::open() in the helper, or of FootprintHelper::ask().
    static Result<HelpedFootprints> open(std::shared_ptr<FootprintHelper> helper);

    bool prepare(const std::vector<std::string>& transparent_cgroups) override;
    Result<FootprintMap> read(const std::vector<std::string>& transparent_cgroups) override;
    Result<void> clear() override;
    [[nodiscard]] core::Seconds cpu_time() const override { return helper_->cpu_time(); }
    [[nodiscard]] bool have_failed() const override { return helper_->has_ended(); }

private:
    explicit HelpedFootprints(std::shared_ptr<FootprintHelper> helper) : helper_(std::move(helper)) {}
    // Ends clearing, and begins to read, if that was not done.
    void begin_read(const std::vector<std::string>& transparent_cgroups);

    std::shared_ptr<FootprintHelper> helper_;
    bool is_clearing_ = false;
    bool is_reading_ = false;
    std::optional<Error> failed_;  // since the last read()
};

class HelpedOpenFiles : public OpenFiles {
public:
    // kinds: not of open files alone.
    HelpedOpenFiles(std::shared_ptr<FootprintHelper> helper, FileKinds kinds) : helper_(std::move(helper)), kinds_(kinds) {}

    bool prepare(const std::vector<std::string>& transparent_cgroups) override;
    Result<core::ReadFilesByCgroup> read(const std::vector<std::string>& transparent_cgroups) override;

private:
    std::shared_ptr<FootprintHelper> helper_;
    FileKinds kinds_;
    std::optional<Result<void>> begun_;  // the order of the next read()
};

using Now = std::function<std::chrono::steady_clock::time_point()>;

// Carries out the orders that come by the socket, until it is closed. Looks at the processes of a user take a bounded time of an
// order.
void serve_footprints(
    const MessageSocket& socket, const RootDir& root, const MayLook& may_look = [](const OpaqueProcess&) { return true; },
    const Now& now = std::chrono::steady_clock::now);

// The helper's work: has another process carry them out. A process on which that one gets stuck, as one look takes longer than
// the deadline, is not looked at again; a new one takes its place, and it is left behind if even SIGKILL does not end it.
void watch_footprints(const MessageSocket& socket, const RootDir& root, std::chrono::milliseconds deadline);

}  // namespace tmm::os
