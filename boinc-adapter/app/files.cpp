// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/proc_text.hpp"
#include "base/units.hpp"

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

Result<struct stat> status_of_regular(int fd, const std::string& name) {
    struct stat status {};
    if (::fstat(fd, &status) != 0)
        return Error::from_errno(errno, name);
    if (!S_ISREG(status.st_mode))
        return Error(EINVAL, name + " is no regular file");
    return status;
}

// Reads a file in a folder of the client's. Its users may put a named pipe there, which must not stop the adapter.
Result<std::string> read_regular(const RootDir& folder, const char* name) {
    const auto file = folder.open_file(name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!file)
        return file.error();
    const std::string full_name = folder.name_of(name);
    if (auto status = status_of_regular(file->get(), full_name); !status)
        return std::move(status).error();
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t got = ::read(file->get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error::from_errno(errno, full_name);
        if (got == 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > max_bytes)
            return Error::from_errno(EFBIG, full_name);
    }
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

}  // namespace

std::string format_backup(const OverrideBackup& backup) {
    std::string text = std::string(backup_line) + "\n";
    for (const Preferences& ours : backup.pushed)
        text += format_preferences(ours);
    if (backup.told)
        text += "told " + format_preferences(*backup.told);
    return text + (backup.users ? "text\n" + *backup.users : "none\n");
}

Result<OverrideBackup> parse_backup(std::string_view text) {
    // The first version had the last two pushes only, alike or not; the second one did not have what the client told.
    const std::string_view first = next_line(text);
    if (first != backup_line && first != "tmm-boinc override 2" && first != "tmm-boinc override 1")
        return Error(EINVAL, "no backup of tmm-boinc");
    OverrideBackup backup;
    std::string_view line = next_line(text);
    for (; line != "text" && line != "none"; line = next_line(text)) {
        if (std::string_view rest = line; next_word(rest) == "told") {
            const auto told = parse_preferences_line(rest);
            if (!told)
                return Error(EINVAL, "a damaged backup of tmm-boinc");
            backup.told = *told;
            continue;
        }
        const auto ours = parse_preferences_line(line);
        if (!ours || backup.pushed.size() == OverrideBackup::max_pushed)
            return Error(EINVAL, "a damaged backup of tmm-boinc");
        backup.pushed.push_back(*ours);
    }
    if (backup.pushed.empty())
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
    auto text = read_regular(data_, override_name);
    if (text)
        return OverrideText(*std::move(text));
    if (text.error().code() == ENOENT)
        return OverrideText();
    return std::move(text).error();
}

Result<void> Files::save(const OverrideText& text) {
    const std::string name = data_.name_of(override_name);
    if (!text) {
        if (::unlinkat(data_.fd(), override_name, 0) != 0 && errno != ENOENT)
            return Error::from_errno(errno, "removing " + name);
        return {};
    }
    constexpr mode_t mode = 0664;
    constexpr int flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    UniqueFd file(::openat(data_.fd(), override_name, flags));
    // It makes no file through a link, which could lead into its own directory.
    if (!file && errno == ENOENT)
        file = UniqueFd(::openat(data_.fd(), override_name, flags | O_CREAT | O_EXCL, mode));
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
    auto text = read_regular(data_, password_name);
    if (!text && text.error().code() == ENOENT)
        return std::string();
    if (!text)
        return std::move(text).error();
    std::string_view rest = *text;
    return std::string(trim(next_line(rest)));
}

}  // namespace tmm::boinc
