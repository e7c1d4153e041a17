// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/files.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/text/proc_text.hpp"
#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "boinc-adapter/app/files/regular_file.hpp"

namespace tmm::boinc {

namespace {

constexpr const char* override_name = "global_prefs_override.xml";
constexpr const char* web_name = "global_prefs.xml";
constexpr const char* client_state_name = "client_state.xml";
constexpr const char* backup_name = "override";
constexpr std::string_view backup_line = "tmm-boinc override 3";
constexpr const char* state_name = "state";
constexpr const char* days_name = "days";
constexpr const char* password_name = "gui_rpc_auth.cfg";
constexpr mode_t client_file_mode = 0664;
// Changes nothing for the client, as if there were no override.
constexpr const char* no_preferences = "<global_preferences>\n</global_preferences>\n";
constexpr std::size_t max_bytes = 1 << 20;
constexpr int percent_digits = 6;

FileMark mark_of(const RootDir& directory, const char* name) {
    struct stat status {};
    if (::fstatat(directory.fd(), name, &status, 0) != 0)
        return {};
    return {status.st_ino, std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec)};
}

std::string format_preferences(const Preferences& preferences) {
    return format_fixed(preferences.busy_percent, percent_digits) + " " + format_fixed(preferences.idle_percent, percent_digits) +
           (preferences.leave_in_memory ? " 1\n" : " 0\n");
}

Result<Preferences> parse_preferences_line(std::string_view line) {
    const auto busy = parse_double(next_word(line));
    const auto idle = parse_double(next_word(line));
    const auto leave = parse_bool(next_word(line));
    if (!busy || !idle || !leave)
        return Error(EINVAL, "damaged preferences");
    return Preferences{*busy, *idle, *leave};
}

// Names come from projects. A tab, a line end and the sign itself are written as %09, %0a and %25.
std::string escaped(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= ' ' || c == '%') {
            out += '%';
            out += digits[byte / 16];
            out += digits[byte % 16];
        } else {
            out += c;
        }
    }
    return out;
}

int digit_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

Result<std::string> unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
        const int low = high >= 0 ? digit_of(text[i + 2]) : -1;
        if (low < 0)
            return Error(EINVAL, "a damaged name");
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

Result<std::string> read_regular_text(const RootDir& folder, const char* name) {
    auto file = read_regular(folder, name, 0, max_bytes);
    return file ? std::move(file->text) : Result<std::string>(std::move(file).error());
}

// Returns whether the file is directly in the folder.
Result<bool> has_file(const RootDir& folder, const struct stat& file) {
    auto names = folder.list_names("");
    if (!names)
        return std::move(names).error();
    return std::any_of(names->begin(), names->end(), [&](const std::string& name) {
        struct stat status {};
        return ::fstatat(folder.fd(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_dev == file.st_dev &&
               status.st_ino == file.st_ino;
    });
}

Result<void> write_in_place(int fd, std::string_view text, const std::string& name) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = ::pwrite(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Error::from_errno(errno, "writing " + name);
        done += static_cast<std::size_t>(written);
    }
    // Only now: on a full disk, the old text's blocks are still there for the new one.
    if (::ftruncate(fd, static_cast<off_t>(text.size())) != 0 || ::fsync(fd) != 0)
        return Error::from_errno(errno, "writing " + name);
    return {};
}

Error may_not(const std::string& deed, const std::string& path) {
    return {EACCES, "tmm-boinc may not " + deed + "; as root, 'chgrp boinc " + path + "' and 'chmod g+w " + path + "' let it"};
}

Error may_not_change(const RootDir& folder) {
    return may_not("make or remove files in " + folder.name_of(""), folder.name_of(""));
}

// Returns the target of a symbolic link; empty: the file is none.
std::string link_target(const RootDir& folder, const char* name) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(folder.fd(), name, target.data(), target.size());
    return size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : std::string();
}

// Lets the client write to a new file, whatever the umask. It is another user, and the group of its directory is its own.
Result<void> open_to_client(int fd, const RootDir& folder, const std::string& name) {
    struct stat directory {};
    struct stat file {};
    if (::fstat(folder.fd(), &directory) != 0 || ::fstat(fd, &file) != 0)
        return Error::from_errno(errno, name);
    // A client that could not write to it would lose its user's changes and tell nobody. The same user needs no group.
    if (file.st_gid != directory.st_gid && ::fchown(fd, static_cast<uid_t>(-1), directory.st_gid) != 0 &&
        file.st_uid != directory.st_uid)
        return Error::from_errno(errno, "giving " + name + " to the group of its directory");
    return ::fchmod(fd, client_file_mode) == 0 ? Result<void>() : Error::from_errno(errno, name);
}

Result<UniqueFd> make_file(const RootDir& folder, const std::string& name) {
    UniqueFd file(::openat(folder.fd(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, client_file_mode));
    if (!file)
        return errno == EACCES ? may_not_change(folder) : Error::from_errno(errno, folder.name_of(name));
    auto opened = open_to_client(file.get(), folder, folder.name_of(name));
    if (!opened) {
        ::unlinkat(folder.fd(), name.c_str(), 0);
        return std::move(opened).error();
    }
    return file;
}

// A client makes files that its group cannot write to. Those of others, links and files closed to their owner stay as they are.
bool may_be_replaced(const RootDir& folder, const char* name) {
    struct stat directory {};
    struct stat file {};
    return ::fstat(folder.fd(), &directory) == 0 && ::fstatat(folder.fd(), name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(file.st_mode) && file.st_uid == directory.st_uid && (file.st_mode & S_IWUSR) != 0 && file.st_nlink == 1;
}

// Puts a new file in the place of one that cannot be written. After a crash, either of the two is there as a whole.
Result<void> replace(const RootDir& folder, const char* name, std::string_view text) {
    const std::string next = std::string(name) + ".tmm-boinc";
    ::unlinkat(folder.fd(), next.c_str(), 0);
    auto file = make_file(folder, next);
    if (!file)
        return file.error().code() == EACCES ? may_not("write to " + folder.name_of(name), folder.name_of(name)) : file.error();
    auto done = write_in_place(file->get(), text, folder.name_of(next));
    if (done && ::renameat(folder.fd(), next.c_str(), folder.fd(), name) != 0)
        done = Error::from_errno(errno, "replacing " + folder.name_of(name));
    if (!done) {
        ::unlinkat(folder.fd(), next.c_str(), 0);
        return done;
    }
    return ::fsync(folder.fd()) == 0 ? Result<void>() : Error::from_errno(errno, folder.name_of(""));
}

}  // namespace

std::string format_backup(const OverrideBackup& backup) {
    std::string text = std::string(backup_line) + "\n";
    for (const Preferences& ours : backup.pushed)
        text += format_preferences(ours);
    text += "told " + format_preferences(backup.told);
    return text + (backup.users ? "text\n" + *backup.users : "none\n");
}

Result<OverrideBackup> parse_backup(std::string_view text) {
    if (next_line(text) != backup_line)
        return Error(EINVAL, "no backup of tmm-boinc");
    OverrideBackup backup;
    bool has_told = false;
    std::string_view line = next_line(text);
    for (; line != "text" && line != "none"; line = next_line(text)) {
        if (std::string_view rest = line; next_word(rest) == "told") {
            const auto told = parse_preferences_line(rest);
            if (!told || has_told)
                return Error(EINVAL, "a damaged backup of tmm-boinc");
            backup.told = *told;
            has_told = true;
            continue;
        }
        const auto ours = parse_preferences_line(line);
        if (!ours || backup.pushed.size() == OverrideBackup::max_pushed)
            return Error(EINVAL, "a damaged backup of tmm-boinc");
        backup.pushed.push_back(*ours);
    }
    if (backup.pushed.empty() || !has_told)
        return Error(EINVAL, "a damaged backup of tmm-boinc");
    if (line == "text")
        backup.users = text;
    return backup;
}

std::string format_state(const SavedState& state) {
    std::string text = "tmm-boinc state 1\n";
    if (state.has_stopped)
        text += "stopped\n";
    for (const TaskId& task : state.held)
        text += "held " + escaped(task.project_url) + " " + escaped(task.name) + "\n";
    return text;
}

Result<SavedState> parse_state(std::string_view text) {
    if (next_line(text) != "tmm-boinc state 1")
        return Error(EINVAL, "no state of tmm-boinc");
    SavedState state;
    while (!text.empty()) {
        std::string_view line = next_line(text);
        const std::string_view key = next_word(line);
        if (key == "stopped") {
            state.has_stopped = true;
        } else if (key == "held") {
            auto url = unescaped(next_word(line));
            auto name = unescaped(next_word(line));
            if (!url || !name)
                return Error(EINVAL, "a damaged state of tmm-boinc");
            state.held.insert({*std::move(url), *std::move(name)});
        } else {
            return Error(EINVAL, "a damaged state of tmm-boinc");
        }
    }
    return state;
}

Files::Files(RootDir data, RootDir state)
    : data_(std::move(data)),
      state_(std::move(state)),
      backup_file_(state_, backup_name, 2 * max_bytes),
      state_file_(state_, state_name, 2 * max_bytes),
      days_file_(state_, days_name, max_bytes) {}

Result<OverrideText> Files::load() {
    auto text = read_regular_text(data_, override_name);
    if (text)
        return OverrideText(*std::move(text));
    if (text.error().code() == ENOENT)
        return OverrideText();
    return std::move(text).error();
}

Result<void> Files::save(const OverrideText& text) {
    if (!text)
        return remove_override();
    const std::string name = data_.name_of(override_name);
    UniqueFd file(::openat(data_.fd(), override_name, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file && errno == EACCES)
        return may_be_replaced(data_, override_name) ? replace(data_, override_name, *text) : may_not("write to " + name, name);
    // It makes no file through a link, which could lead into its own directory.
    if (!file && errno == ENOENT) {
        if (const std::string target = link_target(data_, override_name); !target.empty())
            return Error(ENOENT, name + " is a link to " + printable(target) +
                                     ", which is not there; as root, remove the link or make the file");
        auto made = make_file(data_, override_name);
        if (!made)
            return std::move(made).error();
        file = *std::move(made);
    }
    if (!file)
        return Error::from_errno(errno, name);
    const auto status = status_of_regular(file.get(), name);
    if (!status)
        return status.error();
    auto is_own = has_file(state_, *status);
    if (!is_own)
        return std::move(is_own).error();
    if (*is_own)
        return Error(ELOOP, name + " is a link to a file of tmm-boinc");
    return write_in_place(file.get(), *text, name);
}

Result<void> Files::remove_override() {
    if (!link_target(data_, override_name).empty()) {
        // The link is the user's. An upgrade of Debian's package moves a file of TMM's to /etc and makes a link to it.
        struct stat status {};
        const bool leads_nowhere = ::fstatat(data_.fd(), override_name, &status, 0) != 0 && errno == ENOENT;
        return leads_nowhere ? Result<void>() : save(OverrideText(no_preferences));
    }
    if (::unlinkat(data_.fd(), override_name, 0) == 0 || errno == ENOENT)
        return {};
    if (errno == EACCES)
        return may_not_change(data_);
    return Error::from_errno(errno, "removing " + data_.name_of(override_name));
}

Result<std::optional<OverrideBackup>> Files::load_backup() {
    auto text = backup_file_.load();
    if (!text)
        return std::move(text).error();
    if (!*text)
        return std::optional<OverrideBackup>();
    auto backup = parse_backup(**text);
    if (!backup)
        return std::move(backup).error().with_context(backup_file_.name());
    return std::optional(*std::move(backup));
}

Result<void> Files::save_backup(const OverrideBackup& backup) {
    return backup_file_.save(format_backup(backup));
}

Result<void> Files::erase_backup() {
    if (::unlinkat(state_.fd(), backup_name, 0) != 0 && errno != ENOENT)
        return Error::from_errno(errno, "removing " + backup_file_.name());
    return {};
}

Result<SavedState> Files::load_state() const {
    auto text = state_file_.load();
    if (!text)
        return std::move(text).error();
    if (!*text)
        return SavedState();
    auto state = parse_state(**text);
    if (!state)
        return std::move(state).error().with_context(state_file_.name());
    return state;
}

Result<void> Files::save_state(const SavedState& state) const {
    return state_file_.save(format_state(state));
}

Result<std::vector<DayOfWork>> Files::load_days() const {
    auto text = days_file_.load();
    if (!text)
        return std::move(text).error();
    if (!*text)
        return std::vector<DayOfWork>();
    auto days = parse_days(**text);
    if (!days)
        return std::move(days).error().with_context(days_file_.name());
    return days;
}

Result<void> Files::save_days(const std::vector<DayOfWork>& days) const {
    return days_file_.save(format_days(days));
}

FileMark Files::web_preferences() const {
    return mark_of(data_, web_name);
}

FileMark Files::client_state() const {
    return mark_of(data_, client_state_name);
}

Result<uid_t> Files::data_owner() const {
    struct stat status {};
    if (::fstat(data_.fd(), &status) != 0)
        return Error::from_errno(errno, data_.name_of(""));
    return status.st_uid;
}

Result<std::string> Files::read_password() const {
    auto text = read_regular_text(data_, password_name);
    if (!text && text.error().code() == ENOENT)
        return std::string();
    if (!text)
        return std::move(text).error();
    std::string_view rest = *text;
    return std::string(trim(next_line(rest)));
}

}  // namespace tmm::boinc
