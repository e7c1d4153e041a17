// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/state_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "tmmd/os/stat_text.hpp"

namespace tmm::app {

namespace {

constexpr std::string_view magic = "tmm-state";
constexpr std::string_view version = "1";
constexpr std::size_t longest_header = 64;

// CRC-32 of IEEE 802.3, reflected, bytewise.
constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
        table[byte] = crc;
    }
    return table;
}

std::uint32_t crc32(std::string_view text) {
    static constexpr auto table = make_crc_table();
    std::uint32_t crc = ~0U;
    for (const char c : text)
        crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

std::string header_of(std::string_view text) {
    std::array<char, 9> checksum;
    std::snprintf(checksum.data(), checksum.size(), "%08x", crc32(text));
    return std::string(magic) + " " + std::string(version) + " " + checksum.data() + " " + std::to_string(text.size());
}

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

// At most limit bytes and one more, so that a longer file shows.
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

// A new file beside the one that it is to replace; removed at the end of the scope unless it did.
class NewFile {
public:
    NewFile(const RootDir& directory, const std::string& name) : directory_(directory), name_(name + ".new") {
        // One that a crash left. If it cannot be removed, the next line says why.
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

    // 0, or -1 with errno
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

std::string wrap_state(std::string_view text) {
    return header_of(text) + "\n" + std::string(text);
}

Result<std::string> unwrap_state(std::string_view file) {
    const auto header_end = file.find('\n');
    const std::string_view header = file.substr(0, header_end);
    std::string_view words = header;
    if (os::next_word(words) != magic)
        return Error(EBADMSG, "is no state file of tmmd");
    if (os::next_word(words) != version)
        return Error(EBADMSG, "is of another version");
    if (header_end == std::string_view::npos)
        return Error(EBADMSG, "is damaged (length)");
    const std::string_view text = file.substr(header_end + 1);
    if (header != header_of(text)) {
        os::next_word(words);
        const bool has_its_length = os::next_word(words) == std::to_string(text.size());
        return Error(EBADMSG, has_its_length ? "is damaged (checksum)" : "is damaged (length)");
    }
    return std::string(text);
}

std::string why_untrusted(mode_t mode, uid_t owner, uid_t caller) {
    if (!S_ISREG(mode))
        return "is no regular file";
    if (owner != 0 && owner != caller)
        return "belongs to user " + std::to_string(owner);
    if ((mode & (S_IWGRP | S_IWOTH)) != 0)
        return "can be written by others than its owner";
    return "";
}

StateFile::StateFile(const RootDir& root, const std::string& path) : root_(root) {
    const auto slash = path.rfind('/');
    const std::size_t name_start = slash == std::string::npos ? 0 : slash + 1;
    name_ = path.substr(name_start);
    directory_ = path.substr(0, name_start);
}

Result<void> StateFile::save(std::string_view text) const {
    const std::string full_name = root_.name_of(directory_ + name_);
    const auto fail = [&](int code) { return Error::from_errno(code, "saving " + full_name); };
    if (text.size() > max_bytes)
        return fail(EFBIG);
    const auto directory = root_.subdir(directory_);
    if (!directory)
        return directory.error();
    NewFile file(*directory, name_);
    if (file.fd() < 0)
        return fail(errno);
    auto written = write_all(file.fd(), wrap_state(text));
    if (!written)
        return std::move(written).error().with_context("saving " + full_name);
    // Without this, a power cut could leave the new name with an empty file.
    if (::fsync(file.fd()) != 0 || file.rename_to(name_) != 0 || ::fsync(directory->fd()) != 0)
        return fail(errno);
    return {};
}

Result<std::optional<std::string>> StateFile::load() const {
    const std::string full_name = root_.name_of(directory_ + name_);
    // Without O_NONBLOCK, a named pipe would stop the daemon.
    const auto file = root_.open_file(directory_ + name_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
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
    auto content = read_all(file->get(), max_bytes + longest_header);
    if (!content)
        return std::move(content).error().with_context(full_name);
    if (content->size() > max_bytes + longest_header)
        return Error::from_errno(EFBIG, full_name);
    auto text = unwrap_state(*content);
    if (!text)
        return Error(text.error().code(), full_name + " " + text.error().message());
    return std::optional(*std::move(text));
}

Result<void> StateFile::set_aside() const {
    const auto directory = root_.subdir(directory_);
    if (!directory) {
        if (directory.error().code() == ENOENT)
            return {};
        return directory.error();
    }
    if (::renameat(directory->fd(), name_.c_str(), directory->fd(), (name_ + ".bad").c_str()) != 0 && errno != ENOENT)
        return Error::from_errno(errno, "renaming " + root_.name_of(directory_ + name_) + " to " + name_ + ".bad");
    return {};
}

}  // namespace tmm::app
