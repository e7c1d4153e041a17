// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// recorder: writes a row of counts about the owner, the contribution, the machine and a daemon, once a second and at each change
// of phase. Ends on SIGTERM.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <thread>

#include "base/units.hpp"
#include "cgroup_sample.hpp"
#include "command_line.hpp"
#include "presence_clock.hpp"
#include "process_sample.hpp"
#include "program.hpp"

namespace tmm::desk {
namespace {

constexpr const char* usage =
    "recorder --phase FILE --out FILE [OPTION]...\n"
    "  --root DIR             folder with sys/ and proc/ (/)\n"
    "  --owner CGROUP         the owner's programs, below sys/fs/cgroup (owner)\n"
    "  --contribution CGROUP  cgroup of the contribution (transparent.slice)\n"
    "  --daemon FILE          contains the pid of a process to record; may appear later (none)\n"
    "  --phase FILE           its first line names the phase\n"
    "  --out FILE             CSV, made anew\n";

// Intervals of polling the phase and of writing rows.
constexpr std::chrono::milliseconds phase_interval(100);
constexpr std::chrono::seconds row_interval(1);

struct Recorder {
    RootDir root;
    RootDir files;  // "/": the phase file and the output are paths of this process, not of the tree that is read.
    std::string owner;
    std::string contribution;
    std::string daemon_path;
    std::string phase_path;
    UniqueFd out;
    GrowthSum owner_reads;
    DaemonSample daemon;  // the last values

    [[nodiscard]] Result<void> write(const std::string& line) const {
        if (::write(out.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            return Error::from_errno(errno, "cannot write to the --out file");
        return {};
    }

    // Before the daemon's start and after its end the row repeats the last values.
    void poll_daemon() {
        if (daemon_path.empty())
            return;
        const auto text = files.read_file(daemon_path);
        const auto pid = text ? parse_uint(trim(*text)) : Result<std::uint64_t>(text.error());
        if (!pid)
            return;
        if (const auto sample = read_daemon(root, *pid))
            daemon = *sample;
    }

    [[nodiscard]] Result<void> write_row(std::chrono::nanoseconds now, const std::string& phase) {
        const auto owner_sample = read_class(root, owner);
        if (!owner_sample)
            return owner_sample.error();
        const auto contribution_sample = read_class(root, contribution);
        if (!contribution_sample)
            return contribution_sample.error();
        const auto machine = read_machine(root);
        if (!machine)
            return machine.error();
        const auto reads = read_bytes_of_cgroup(root, owner);
        if (!reads)
            return reads.error();
        poll_daemon();
        return write(format_fixed(std::chrono::duration<double>(now).count(), 3) + ',' + phase + ',' + class_row(*owner_sample) +
                     ',' + class_row(*contribution_sample) + ',' + machine_row(*machine) + ',' +
                     std::to_string(owner_reads.update(*reads)) + ',' + daemon_row(daemon) + '\n');
    }
};

Result<Recorder> set_up(std::span<const char* const> arguments) {
    const auto line = CommandLine::parse(arguments, {"root", "owner", "contribution", "daemon", "phase", "out"});
    if (!line)
        return line.error();
    auto out_path = line->required("out");
    if (!out_path)
        return out_path.error();
    auto phase_path = line->required("phase");
    if (!phase_path)
        return phase_path.error();
    auto root = RootDir::open(line->text("root", "/"));
    if (!root)
        return root.error();
    auto files = RootDir::open("/");
    if (!files)
        return files.error();
    UniqueFd out(::open(out_path->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (out.get() < 0)
        return Error::from_errno(errno, "cannot write " + *out_path);
    return Recorder{std::move(*root),
                    std::move(*files),
                    line->text("owner", "owner"),
                    line->text("contribution", "transparent.slice"),
                    line->text("daemon", ""),
                    *phase_path,
                    std::move(out),
                    {},
                    {}};
}

Result<void> record(Recorder& recorder) {
    if (auto result = recorder.write("t_s,phase," + class_header("owner") + ',' + class_header("contribution") + ',' +
                                     machine_header() + ",owner_read_bytes," + daemon_header() + '\n');
        !result)
        return result;
    watch_presence();
    // A recorder that waits for its own pages would miss rows.
    if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        std::perror("recorder: cannot lock its memory, ignoring");
    std::string last_phase;
    std::chrono::nanoseconds next_row{0};
    while (!asked_to_end()) {
        const auto text = recorder.files.read_file(recorder.phase_path);
        if (!text)
            return text.error();
        const std::string phase(trim(*text));
        const auto now = monotonic_now();
        // A phase file that is just being written is empty for a moment.
        const bool new_phase = phase != last_phase && !phase.empty();
        if (new_phase || now >= next_row) {
            if (new_phase)
                last_phase = phase;
            if (auto result = recorder.write_row(now, last_phase); !result)
                return result;
            next_row = now + row_interval;
        }
        std::this_thread::sleep_for(phase_interval);
    }
    return recorder.write_row(monotonic_now(), last_phase);
}

}  // namespace
}  // namespace tmm::desk

int main(int argc, char** argv) {
    return tmm::desk::run_program("recorder", tmm::desk::usage, argc, argv, tmm::desk::set_up, tmm::desk::record);
}
