// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/root_dir.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace tmm {

namespace {

// openat(2) ignores the directory if the path is absolute, so a leading slash must go; "" means the directory itself.
std::string relative(std::string_view path) {
    const auto start = path.find_first_not_of('/');
    return start == std::string_view::npos ? "." : std::string(path.substr(start));
}

bool is_link(int dir, const std::string& name) {
    struct stat status {};
    return ::fstatat(dir, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

Result<RootDir> RootDir::open(const std::string& path) {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd)
        return Error::from_errno(errno, path);
    return RootDir(std::move(fd), path, std::make_shared<ReadTexts>());
}

Result<RootDir> RootDir::subdir(std::string_view path) const {
    UniqueFd fd(::openat(fd_.get(), relative(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd)
        return Error::from_errno(errno, name_of(path));
    return RootDir(std::move(fd), name_of(path), texts_);
}

// Goes step by step, since RestrictSUIDSGID= of systemd forbids openat2(2).
Result<RootDir> RootDir::subdir_without_links(std::string_view path) const {
    std::string rest = relative(path);
    UniqueFd dir;
    int at = fd_.get();
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        const std::string name = rest.substr(0, end);
        rest.erase(0, rest.find_first_not_of('/', end));
        if (name == "..")
            return Error::from_errno(EXDEV, name_of(path));
        const int access = rest.empty() ? O_RDONLY : O_PATH;
        UniqueFd next(::openat(at, name.c_str(), access | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        const int problem = errno;
        if (!next)
            return Error::from_errno(problem == ENOTDIR && is_link(at, name) ? ELOOP : problem, name_of(path));
        dir = std::move(next);
        at = dir.get();
    }
    return RootDir(std::move(dir), name_of(path), texts_);
}

Result<UniqueFd> RootDir::open_file(std::string_view path, int flags) const {
    UniqueFd fd(::openat(fd_.get(), relative(path).c_str(), flags | O_CLOEXEC));
    if (!fd)
        return Error::from_errno(errno, name_of(path));
    return fd;
}

Result<std::string> RootDir::read_file(std::string_view path, std::size_t max_bytes) const {
    return texts_->get(name_of(path), [&] { return read_now(path, max_bytes); });
}

Result<std::string> RootDir::read_now(std::string_view path, std::size_t max_bytes) const {
    auto fd = open_file(path, O_RDONLY);
    if (!fd)
        return std::move(fd).error();
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(fd->get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error::from_errno(errno, name_of(path));
        if (got == 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > max_bytes)
            return Error::from_errno(EFBIG, name_of(path));
    }
}

Result<void> RootDir::write_file(std::string_view path, std::string_view text) const {
    auto fd = open_file(path, O_WRONLY);
    if (!fd)
        return std::move(fd).error();
    texts_->forget(name_of(path));
    const ssize_t written = ::write(fd->get(), text.data(), text.size());
    if (written < 0)
        return Error::from_errno(errno, "writing '" + std::string(text) + "' to " + name_of(path));
    if (static_cast<std::size_t>(written) != text.size())
        return Error(EIO, "writing '" + std::string(text) + "' to " + name_of(path) + ": only partly written");
    return {};
}

Result<std::vector<std::string>> RootDir::list(std::string_view path, std::optional<std::uint8_t> wanted_type,
                                               std::size_t max) const {
    const int fd = ::openat(fd_.get(), relative(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return Error::from_errno(errno, name_of(path));
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(::fdopendir(fd), ::closedir);
    if (!dir)
        return Error::from_errno(errno, name_of(path));
    std::vector<std::string> names;
    while (const dirent* entry = names.size() < max ? ::readdir(dir.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (name != "." && name != ".." && (!wanted_type || entry->d_type == *wanted_type))
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<std::vector<std::string>> RootDir::list_dirs(std::string_view path) const {
    return list(path, DT_DIR);
}

Result<std::vector<std::string>> RootDir::list_names(std::string_view path, std::size_t max) const {
    return list(path, std::nullopt, max);
}

bool RootDir::exists(std::string_view path) const {
    return ::faccessat(fd_.get(), relative(path).c_str(), F_OK, 0) == 0;
}

std::string RootDir::name_of(std::string_view path) const {
    const std::string tail = relative(path);
    if (tail == ".")
        return name_;
    return name_.ends_with('/') ? name_ + tail : name_ + "/" + tail;
}

}  // namespace tmm
