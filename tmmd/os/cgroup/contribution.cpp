// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/contribution.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>

#include "base/bounds/user_budget.hpp"
#include "base/cgroups/contribution_name.hpp"
#include "base/cgroups/exceptions.hpp"
#include "base/cgroups/far_bytes.hpp"
#include "base/cgroups/transparent_class.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/cgroup_processes.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {

constexpr const char* frozen_attribute = "user.tmm.frozen";
constexpr std::size_t max_cgroups = 256;
constexpr std::size_t max_processes_per_user = 64;
constexpr std::size_t max_name = 64;

std::string_view word_of(FreezeReason reason) {
    return reason == FreezeReason::hold ? "hold" : "pause";
}

std::optional<FreezeReason> read_reason(const RootDir& dir) {
    std::array<char, 8> value{};
    const ssize_t size = ::fgetxattr(dir.fd(), frozen_attribute, value.data(), value.size());
    const std::string_view word(value.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    for (const FreezeReason reason : {FreezeReason::hold, FreezeReason::pause}) {
        if (word == word_of(reason))
            return reason;
    }
    return std::nullopt;
}

// Uses syscall(2): C++ cannot use <sys/pidfd.h> of glibc 2.36, which lacks extern "C".
UniqueFd open_pidfd(pid_t pid) {
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace

// A user chooses the names of their cgroups, and could choose one with control codes for a terminal.
std::string clean_name(std::string name) {
    name.resize(std::min(name.size(), max_name));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return name.empty() ? "contribution" : name;
}

uid_t owner_of(uid_t directory_owner, const std::vector<std::optional<uid_t>>& users) {
    if (directory_owner != 0 || users.empty() || !users.front())
        return directory_owner;
    const bool same = std::all_of(users.begin(), users.end(), [&](const auto& user) { return user == users.front(); });
    return same ? *users.front() : 0;
}

std::optional<uid_t> parse_only_user(std::string_view status) {
    while (!status.empty()) {
        std::string_view line = next_line(status);
        if (next_word(line) != "Uid:")
            continue;
        // The columns are real, effective, saved, and of the file system.
        const auto real = parse_uint(next_word(line));
        for (int i = 0; i < 3; ++i) {
            const auto other = parse_uint(next_word(line));
            if (!real || !other || *other != *real)
                return std::nullopt;
        }
        if (*real > std::numeric_limits<uid_t>::max())
            return std::nullopt;
        return static_cast<uid_t>(*real);
    }
    return std::nullopt;
}

Contribution::Contribution(RootDir dir, const RootDir& root, std::string cgroup, std::uint64_t id)
    : dir_(std::move(dir)), root_(&root), cgroup_(std::move(cgroup)), id_(id), frozen_for_(read_reason(dir_)) {}

Result<std::optional<Contribution>> Contribution::open(const RootDir& root, const std::string& cgroup) {
    auto dir = root.subdir_without_links(cgroup);
    if (!dir) {
        if (dir.error().code() == ENOENT)
            return std::optional<Contribution>();
        return std::move(dir).error();
    }
    struct stat status {};
    if (::fstat(dir->fd(), &status) != 0)
        return Error::from_errno(errno, root.name_of(cgroup));
    return std::optional(Contribution(*std::move(dir), root, cgroup, status.st_ino));
}

std::string Contribution::name() const {
    return clean_name(contribution_name(cgroup_.substr(cgroup_.find_last_of('/') + 1)));
}

bool Contribution::is_there() const {
    return dir_.exists("cgroup.procs");
}

bool Contribution::is_populated() const {
    const auto text = dir_.read_file("cgroup.events");
    const auto populated = text ? parse_stat(*text, "populated") : Result<std::uint64_t>(text.error());
    return populated && *populated == 1;
}

std::optional<Bytes> Contribution::memory_bytes() const {
    const auto text = dir_.read_file("memory.current");
    const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
    return bytes ? std::optional(Bytes(*bytes)) : std::nullopt;
}

Bytes Contribution::far_bytes() const {
    return Bytes(tmm::far_bytes(dir_));
}

std::vector<pid_t> Contribution::processes() const {
    std::vector<pid_t> pids = processes_below(dir_, max_processes, max_cgroups);
    std::sort(pids.begin(), pids.end());
    return pids;
}

uid_t Contribution::owner() const {
    struct stat status {};
    const uid_t directory_owner = ::fstat(dir_.fd(), &status) == 0 ? status.st_uid : 0;
    if (directory_owner != 0)
        return directory_owner;
    const std::vector<pid_t> pids = processes();
    if (pids.size() > max_processes_per_user)
        return 0;
    std::vector<std::optional<uid_t>> users;
    for (const pid_t pid : pids) {
        const auto text = root_->read_file("proc/" + std::to_string(pid) + "/status");
        users.push_back(text ? parse_only_user(*text) : std::nullopt);
    }
    return owner_of(directory_owner, users);
}

// A vanished cgroup needs no write.
Result<void> Contribution::write(const std::string& file, const std::string& text) const {
    auto written = dir_.write_file(file, text);
    if (!written && !is_there())
        return {};
    return written;
}

Result<void> Contribution::keep_reason(std::optional<FreezeReason> reason) const {
    const std::string_view word = reason ? word_of(*reason) : std::string_view();
    const int code = reason ? ::fsetxattr(dir_.fd(), frozen_attribute, word.data(), word.size(), 0)
                            : ::fremovexattr(dir_.fd(), frozen_attribute);
    // Every cgroup can have attributes. A test's directory may not, but no later tmmd reads that.
    if (code == 0 || errno == ENODATA || errno == ENOTSUP || !is_there())
        return {};
    return Error::from_errno(errno, "the attribute " + std::string(frozen_attribute) + " of " + dir_.name_of(""));
}

bool Contribution::is_never_held_frozen() const {
    return has_exception(dir_, Exception::never_freeze);
}

Result<void> Contribution::freeze(FreezeReason reason) {
    const auto now = dir_.read_file("cgroup.freeze");
    const bool is_frozen = now && trim(*now) == "1";
    // It is frozen already; or somebody else froze it, and is to thaw it.
    if (is_frozen && (!frozen_for_ || frozen_for_ == reason))
        return {};
    frozen_for_ = reason;
    const auto kept = keep_reason(reason);
    auto written = is_frozen ? Result<void>() : write("cgroup.freeze", "1");
    return written ? kept : written;
}

Result<void> Contribution::thaw() {
    if (!frozen_for_)
        return {};
    auto written = write("cgroup.freeze", "0");
    if (!written)
        return written;
    frozen_for_.reset();
    return keep_reason(std::nullopt);
}

Result<void> Contribution::leave() {
    if (frozen_for_ != FreezeReason::pause)
        return thaw();
    return write("cgroup.freeze", "0");
}

Result<void> Contribution::terminate() const {
    std::vector<std::pair<pid_t, UniqueFd>> opened;
    for (const pid_t pid : processes()) {
        UniqueFd pidfd = open_pidfd(pid);
        if (!pidfd && errno == EMFILE)
            break;  // SIGKILL ends the rest when the time is over
        if (pidfd)
            opened.emplace_back(pid, std::move(pidfd));
    }
    // A process that is still listed now is the one of the descriptor, not a newcomer with the same number.
    const std::vector<pid_t> still = processes();
    for (const auto& [pid, pidfd] : opened) {
        if (!std::binary_search(still.begin(), still.end(), pid))
            continue;
        if (::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGTERM, nullptr, 0) != 0 && errno != ESRCH)
            return Error::from_errno(errno, "cannot end process " + std::to_string(pid) + " of " + dir_.name_of(""));
    }
    return {};
}

Result<void> Contribution::kill() const {
    return write("cgroup.kill", "1");
}

std::optional<unsigned> Contribution::weight() const {
    const auto text = dir_.read_file("cpu.weight");
    const auto weight = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
    return weight && *weight <= 10'000 ? std::optional(static_cast<unsigned>(*weight)) : std::nullopt;
}

Result<void> Contribution::set_weight(unsigned weight) const {
    if (weight < 1 || weight > 10'000)
        return Error(EINVAL, "weight " + std::to_string(weight) + " is not in the range 1 to 10000");
    if (is_there() && !dir_.exists("cpu.weight"))
        return Error(ENOTSUP, dir_.name_of("") + " has no cpu controller");
    return write("cpu.weight", std::to_string(weight));
}

std::vector<FoundContribution> find_contributions(const RootDir& root, const std::vector<std::string>& transparent_cgroups,
                                                  std::size_t max_per_user) {
    std::vector<FoundContribution> found;
    UserBudget budget(max_per_user, 16);
    const auto add = [&](std::string cgroup, uid_t user) {
        if (budget.take(user))
            found.push_back({std::move(cgroup), user});
    };
    for (const std::string& top : transparent_cgroups) {
        const uid_t user = user_of(root, top);
        if (top.substr(top.find_last_of('/') + 1) != transparent_slice) {
            add(top, user);
            continue;
        }
        const auto dir = root.subdir_without_links(top);
        if (!dir)
            continue;
        for (const std::string& name : list_children(*dir, budget.left(user))) {
            const std::string child = top + "/" + name;
            add(child, user != 0 ? user : user_of(root, child));
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.cgroup < b.cgroup; });
    return found;
}

}  // namespace tmm::os
