// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/stopped_client.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/unique_fd.hpp"
#include "boinc-adapter/app/client/identity.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/app/files/regular_file.hpp"
#include "boinc-adapter/discovery/client_process.hpp"
#include "boinc-adapter/rpc/client_state.hpp"

namespace tmm::boinc {

namespace {

// Of a client with tens of thousands of tasks.
constexpr std::size_t max_bytes = 64U << 20;

// Returns the lock, or nothing if no client has ever locked the directory: a file of another user's would stop the next one.
Result<UniqueFd> lock(const RootDir& data) {
    UniqueFd file(::openat(data.fd(), "lockfile", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
    if (!file)
        return errno == ENOENT ? Result<UniqueFd>(UniqueFd()) : Error::from_errno(errno, data.name_of("lockfile"));
    struct flock wanted {};
    // The client wants to write, so this keeps it away.
    wanted.l_type = F_RDLCK;
    wanted.l_whence = SEEK_SET;
    if (::fcntl(file.get(), F_SETLK, &wanted) != 0)
        return Error(EBUSY, "the BOINC client runs");
    return file;
}

Result<void> write_all(int fd, std::string_view text, const std::string& name) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Error::from_errno(errno, "writing " + name);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(fd) == 0 ? Result<void>() : Error::from_errno(errno, "writing " + name);
}

Result<void> replace(const RootDir& data, const char* name, std::string_view text, mode_t mode) {
    const std::string next = std::string(name) + ".tmm-boinc";
    const std::string full_name = data.name_of(next);
    ::unlinkat(data.fd(), next.c_str(), 0);
    const UniqueFd file(::openat(data.fd(), next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file)
        return Error::from_errno(errno, full_name);
    auto done = ::fchmod(file.get(), mode) == 0 ? write_all(file.get(), text, full_name) : Error::from_errno(errno, full_name);
    if (done && ::renameat(data.fd(), next.c_str(), data.fd(), name) != 0)
        done = Error::from_errno(errno, data.name_of(name));
    if (!done)
        ::unlinkat(data.fd(), next.c_str(), 0);
    return done;
}

Result<void> end_suspensions_in(const RootDir& data, const char* name, const std::set<TaskId>& tasks) {
    const auto file = read_regular(data, name, O_NOFOLLOW, max_bytes);
    if (!file)
        return file.error().code() == ENOENT ? Result<void>() : file.error();
    const auto without = without_suspensions(file->text, tasks);
    if (!without)
        return Error(without.error()).with_context(data.name_of(name));
    constexpr mode_t permissions = 07777;
    return *without == file->text ? Result<void>() : replace(data, name, *without, file->status.st_mode & permissions);
}

}  // namespace

Result<void> end_suspensions(const RootDir& data, const std::set<TaskId>& tasks) {
    const auto locked = lock(data);
    if (!locked)
        return locked.error();
    Result<void> first;
    // The client starts with the first whole one of these.
    for (const char* name : {"client_state_next.xml", "client_state.xml", "client_state_prev.xml"}) {
        auto done = end_suspensions_in(data, name, tasks);
        if (first && !done)
            first = std::move(done);
    }
    return first;
}

Result<void> release(const RootDir& data, const RootDir& state, const Log& log) {
    auto data_again = data.subdir(".");
    auto state_again = state.subdir(".");
    if (!data_again || !state_again)
        return (data_again ? state_again : data_again).error();
    const Files files(*std::move(data_again), *std::move(state_again));
    const auto saved = [&] {
        const ActingOwner owner(state);
        return owner.result() ? files.load_state() : Result<SavedState>(owner.result().error());
    }();
    if (!saved)
        return saved.error();
    if (saved->held.empty())
        return {};
    {
        const ActingOwner owner(data);
        auto ended = owner.result() ? end_suspensions(data, saved->held) : owner.result();
        if (!ended)
            return ended.error().code() == EBUSY ? Result<void>() : ended;
    }
    const ActingOwner owner(state);
    auto forgotten = owner.result() ? files.save_state(SavedState()) : owner.result();
    if (forgotten)
        log.info("the tasks that tmm-boinc held go on when the BOINC client starts");
    return forgotten;
}

}  // namespace tmm::boinc
