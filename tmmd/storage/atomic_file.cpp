// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/storage/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

namespace tmm::storage {

namespace {

Result<void> write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Error::from_errno(errno, "writing");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

// Reads at most limit bytes and one more, which shows that a file is longer.
Result<std::string> read_all(int fd, std::size_t limit) {
    std::string text;
    std::array<char, 65536> buffer;
    while (text.size() <= limit) {
        const ssize_t got = ::read(fd, buffer.data(), std::min(buffer.size(), limit + 1 - text.size()));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error::from_errno(errno, "reading");
        if (got == 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

// Creates a new file beside the one that it is to replace. The end of the scope removes it, unless it was renamed.
class NewFile {
public:
    NewFile(const RootDir& directory, const std::string& name) : directory_(directory), name_(name + ".new") {
        // A crash may have left one. If it cannot be removed, the next line reports the reason.
        ::unlinkat(directory_.fd(), name_.c_str(), 0);
        fd_ = UniqueFd(::openat(directory_.fd(), name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        is_there_ = static_cast<bool>(fd_);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() {
        if (is_there_)
            ::unlinkat(directory_.fd(), name_.c_str(), 0);
    }

    [[nodiscard]] int fd() const { return fd_.get(); }

    // Returns 0, or -1 with errno.
    int rename_to(const std::string& name) {
        const int code = ::renameat(directory_.fd(), name_.c_str(), directory_.fd(), name.c_str());
        if (code == 0)
            is_there_ = false;
        return code;
    }

private:
    const RootDir& directory_;
    std::string name_;
    UniqueFd fd_;
    bool is_there_ = false;
};

}  // namespace

std::string why_untrusted(mode_t mode, uid_t owner, uid_t caller) {
    if (!S_ISREG(mode))
        return "is no regular file";
    if (owner != 0 && owner != caller)
        return "belongs to user " + std::to_string(owner);
    if ((mode & (S_IWGRP | S_IWOTH)) != 0)
        return "can be written by others than its owner";
    return "";
}

AtomicFile::AtomicFile(const RootDir& root, const std::string& path, std::size_t max_bytes)
    : root_(&root), max_bytes_(max_bytes) {
    const auto slash = path.rfind('/');
    const std::size_t name_start = slash == std::string::npos ? 0 : slash + 1;
    name_ = path.substr(name_start);
    directory_ = path.substr(0, name_start);
}

Result<void> AtomicFile::save(std::string_view text) const {
    const std::string full_name = name();
    const auto fail = [&](int code) { return Error::from_errno(code, "saving " + full_name); };
    if (text.size() > max_bytes_)
        return fail(EFBIG);
    const auto directory = root_->subdir(directory_);
    if (!directory)
        return directory.error();
    NewFile file(*directory, name_);
    if (file.fd() < 0)
        return fail(errno);
    auto written = write_all(file.fd(), text);
    if (!written)
        return std::move(written).error().with_context("saving " + full_name);
    // Without this, a power cut could leave the new name with an empty file.
    if (::fsync(file.fd()) != 0 || file.rename_to(name_) != 0 || ::fsync(directory->fd()) != 0)
        return fail(errno);
    return {};
}

Result<std::optional<std::string>> AtomicFile::load() const {
    const std::string full_name = name();
    // Without O_NONBLOCK, a named pipe would stop the daemon.
    const auto file = root_->open_file(directory_ + name_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (!file) {
        if (file.error().code() == ENOENT)
            return std::optional<std::string>();
        if (file.error().code() == ELOOP)
            return Error(ELOOP, full_name + " is a symbolic link");
        return file.error();
    }
    struct stat status {};
    if (::fstat(file->get(), &status) != 0)
        return Error::from_errno(errno, full_name);
    const std::string reason = why_untrusted(status.st_mode, status.st_uid, ::geteuid());
    if (!reason.empty())
        return Error(EPERM, full_name + " " + reason);
    auto content = read_all(file->get(), max_bytes_);
    if (!content)
        return std::move(content).error().with_context(full_name);
    if (content->size() > max_bytes_)
        return Error::from_errno(EFBIG, full_name);
    return std::optional(*std::move(content));
}

Result<void> AtomicFile::rename_to_bad() const {
    const auto directory = root_->subdir(directory_);
    if (!directory) {
        if (directory.error().code() == ENOENT)
            return {};
        return directory.error();
    }
    if (::renameat(directory->fd(), name_.c_str(), directory->fd(), (name_ + ".bad").c_str()) != 0 && errno != ENOENT)
        return Error::from_errno(errno, "renaming " + name() + " to " + name_ + ".bad");
    return {};
}

}  // namespace tmm::storage
