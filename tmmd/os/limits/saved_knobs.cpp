// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/saved_knobs.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {

// Users make cgroups with long names without end; root has four times as much.
constexpr std::size_t max_bytes_per_user = 256 << 10;
constexpr std::size_t max_file_bytes = 16 << 20;
// Of a line, for its values and blanks.
constexpr std::size_t max_values_bytes = 72;

bool is_one_word(const std::string& text) {
    return !text.empty() && std::none_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

// Root may be made to read the file of a machine that somebody else has prepared.
bool is_knob(const std::string& path) {
    return path.starts_with(std::string(cgroup_mount) + "/") && path.find("/../") == std::string::npos &&
           path.substr(path.rfind('/') + 1).starts_with("memory.");
}

}  // namespace

SavedKnobs::SavedKnobs(const RootDir& root, const std::string& file)
    : root_(&root), lock_name_(file + ".lock"), file_(root, file, max_file_bytes) {}

Result<void> SavedKnobs::begin() {
    if (begun())
        return {};
    // Where it is missing, the next call fails.
    ::mkdirat(root_->fd(), lock_name_.substr(0, lock_name_.rfind('/')).c_str(), 0755);
    UniqueFd lock(::openat(root_->fd(), lock_name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock)
        return Error::from_errno(errno, root_->name_of(lock_name_));
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return Error(errno == EWOULDBLOCK ? EBUSY : errno, root_->name_of(lock_name_) + " is in use: another tmmd is running");
    auto loaded = load();
    if (!loaded) {
        // The next call finds the lines that make sense.
        if (loaded.error().code() == EINVAL && file_.rename_to_bad())
            static_cast<void>(save());
        knobs_.clear();
        return loaded;
    }
    lock_ = std::move(lock);
    return {};
}

// A line is "PATH BEFORE OURS PREVIOUS".
Result<void> SavedKnobs::load() {
    const auto text = file_.load();
    if (!text)
        return text.error();
    Result<void> loaded;
    std::string_view rest = text->has_value() ? std::string_view(**text) : std::string_view();
    for (int number = 1; !rest.empty(); ++number) {
        std::string_view line = next_line(rest);
        const auto path = unescape_path(next_word(line));
        Knob knob;
        knob.before = next_word(line);
        knob.ours = next_word(line);
        knob.previous = next_word(line);
        if (path && is_knob(*path) && !knob.previous.empty() && next_word(line).empty())
            knobs_[*path] = std::move(knob);
        else if (loaded)
            loaded = Error(EINVAL, file_.name() + ":" + std::to_string(number) + ": not 'PATH BEFORE OURS PREVIOUS'");
    }
    return loaded;
}

Result<void> SavedKnobs::save() const {
    std::string text;
    for (const auto& [path, knob] : knobs_) {
        if (!knob.theirs)
            text.append(escape_path(path))
                .append(" ")
                .append(knob.before)
                .append(" ")
                .append(knob.ours)
                .append(" ")
                .append(knob.previous) += '\n';
    }
    return file_.save(text);
}

Result<std::string> SavedKnobs::read(const std::string& path) const {
    auto text = root_->read_file(path);
    if (!text)
        return text;
    return std::string(trim(*text));
}

bool SavedKnobs::take_room(UserBudget& room, const std::string& path) const {
    return room.take(user_of(*root_, path), escape_path(path).size() + max_values_bytes);
}

// Returns whether the value has to be written, and notes what the knob held.
bool SavedKnobs::take(const KnobValue& value, UserBudget& room) {
    if (!is_one_word(value.text))
        return false;
    const auto now = read(value.path);
    const auto known = knobs_.find(value.path);
    if (!now) {
        if (known != knobs_.end())
            knobs_.erase(known);
        return false;
    }
    if (known == knobs_.end()) {
        if (*now == value.text || !is_one_word(*now))
            return false;
        if (!take_room(room, value.path)) {
            left_out_ = file_.name() + " has no room for all settings of cgroups that protect the memory of user " +
                        std::to_string(user_of(*root_, value.path));
            return false;
        }
        knobs_[value.path] = {.before = *now, .ours = value.text, .previous = *now};
        return true;
    }
    Knob& knob = known->second;
    if (knob.theirs)
        return false;
    // A new cgroup of the same name has the value from before.
    knob.theirs = *now != knob.ours && *now != knob.previous && *now != knob.before;
    if (knob.theirs || *now == value.text)
        return false;
    knob.previous = *now;
    knob.ours = value.text;
    return true;
}

Result<void> SavedKnobs::write(const std::vector<KnobValue>& values) {
    // Else the file would grow with each cgroup that comes and goes.
    const auto nr_vanished = std::erase_if(knobs_, [this](const auto& knob) { return !root_->exists(knob.first); });
    left_out_.clear();
    UserBudget room(max_bytes_per_user, 4);
    for (const auto& [path, knob] : knobs_)
        take_room(room, path);
    std::vector<const KnobValue*> due;
    for (const KnobValue& value : values) {
        if (take(value, room))
            due.push_back(&value);
    }
    if (due.empty() && nr_vanished == 0)
        return {};
    auto saved = save();
    if (!saved)
        return saved;
    for (const KnobValue* value : due) {
        const auto written = root_->write_file(value->path, value->text);
        if (!written && root_->exists(value->path))
            left_out_ = written.error().message();
    }
    return {};
}

Result<void> SavedKnobs::restore() {
    if (knobs_.empty())
        return {};
    Result<void> done;
    // Returns false if the knob has to be tried again: else the next run would take our value for somebody else's.
    const auto is_done = [&](const auto& entry) {
        const auto& [path, knob] = entry;
        const auto now = read(path);
        if (knob.theirs || !root_->exists(path) || (now && *now != knob.ours && *now != knob.previous))
            return true;
        auto written = now ? root_->write_file(path, knob.before) : Result<void>(now.error());
        if (written || !root_->exists(path))
            return true;
        done = std::move(written);
        return false;
    };
    std::erase_if(knobs_, is_done);
    auto saved = save();
    return done ? saved : done;
}

std::string SavedKnobs::before(const std::string& path) const {
    const auto knob = knobs_.find(path);
    if (knob != knobs_.end())
        return knob->second.before;
    const auto now = read(path);
    return now ? *now : "";
}

std::vector<std::string> SavedKnobs::held() const {
    std::vector<std::string> paths;
    for (const auto& [path, knob] : knobs_) {
        if (!knob.theirs && knob.ours != knob.before)
            paths.push_back(path);
    }
    return paths;
}

std::vector<std::string> SavedKnobs::theirs() const {
    std::vector<std::string> paths;
    for (const auto& [path, knob] : knobs_) {
        if (knob.theirs)
            paths.push_back(path);
    }
    return paths;
}

}  // namespace tmm::os
