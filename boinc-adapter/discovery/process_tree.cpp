// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/process_tree.hpp"

#include <limits.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "base/cgroups/transparent_class.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::boinc {

namespace {

// A task has a handful; this bounds one that forks without end.
constexpr int max_processes = 256;

std::string proc_path(pid_t pid, std::string_view file) {
    return "proc/" + std::to_string(pid) + "/" + std::string(file);
}

// Returns the text of the link, or an errno code.
Result<std::string> read_link(const RootDir& root, const std::string& path) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(root.fd(), path.c_str(), target.data(), target.size());
    if (size < 0)
        return Error::from_errno(errno, path);
    return std::string(target.data(), static_cast<std::size_t>(size));
}

bool is_task(const RootDir& root, pid_t pid, int slot, pid_t parent) {
    const auto text = root.read_file(proc_path(parent, "stat"));
    const auto stat = text ? parse_process_stat(*text) : Result<ProcessStat>(text.error());
    return is_task_process(read_link(root, proc_path(pid, "cwd")), slot, stat ? stat->name : std::string_view());
}

std::vector<pid_t> children_of(const RootDir& root, pid_t pid) {
    std::vector<pid_t> children;
    const auto threads = root.list_dirs(proc_path(pid, "task"));
    if (!threads)
        return children;
    for (const std::string& thread : *threads) {
        const auto text = root.read_file(proc_path(pid, "task/" + thread + "/children"));
        if (!text)
            continue;
        std::string_view rest = *text;
        for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
            const auto number = parse_uint(trim(word));
            if (number && *number > 0 && *number <= static_cast<std::uint64_t>(INT_MAX))
                children.push_back(static_cast<pid_t>(*number));
        }
    }
    return children;
}

std::chrono::duration<double> processor_time(const RootDir& root, pid_t pid) {
    static const auto ticks_per_s = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const auto text = root.read_file(proc_path(pid, "stat"));
    const auto stat = text ? parse_process_stat(*text) : Result<ProcessStat>(text.error());
    return std::chrono::duration<double>(stat ? static_cast<double>(stat->processor_ticks) / ticks_per_s : 0);
}

}  // namespace

Result<ProcessStat> parse_process_stat(std::string_view text) {
    // "PID (name) state ppid ...": the name may hold blanks and parentheses, the rest cannot.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return Error(EINVAL, "no (name) in /proc/PID/stat");
    ProcessStat stat;
    stat.name = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    next_word(text);  // state
    const auto parent = parse_uint(next_word(text));
    const auto skip = [&text](int nr_words) {
        for (int i = 0; i < nr_words; ++i)
            next_word(text);
    };
    skip(9);  // up to utime
    const auto user = parse_uint(next_word(text));
    const auto system = parse_uint(next_word(text));
    skip(6);  // up to starttime
    const auto start = parse_uint(next_word(text));
    if (!parent || !user || !system || !start || *parent > static_cast<std::uint64_t>(INT_MAX))
        return Error(EINVAL, "/proc/PID/stat is cut off");
    stat.parent = static_cast<pid_t>(*parent);
    stat.processor_ticks = *user + *system;
    stat.start_ticks = *start;
    return stat;
}

bool is_task_process(const Result<std::string>& directory, int slot, std::string_view parent_name) {
    if (directory)
        return directory->ends_with("/slots/" + std::to_string(slot));
    const bool is_hidden = directory.error().code() == EACCES || directory.error().code() == EPERM;
    return is_hidden && parent_name.starts_with("boinc");
}

ProcessMemory parse_process_memory(std::string_view text) {
    const auto resident = parse_meminfo_bytes(text, "VmRSS");
    const auto swapped = parse_meminfo_bytes(text, "VmSwap");
    return {resident ? *resident : 0, swapped ? *swapped : 0};
}

std::optional<TaskTree> measure_task(const RootDir& root, pid_t pid, int slot) {
    if (pid <= 0 || slot < 0)
        return std::nullopt;
    const auto text = root.read_file(proc_path(pid, "stat"));
    const auto stat = text ? parse_process_stat(*text) : Result<ProcessStat>(text.error());
    if (!stat || !is_task(root, pid, slot, stat->parent))
        return std::nullopt;
    TaskTree tree;
    tree.start_ticks = stat->start_ticks;
    tree.is_transparent = is_below_transparent_slice(root, pid);
    std::vector<pid_t> waiting{pid};
    while (!waiting.empty() && tree.nr_processes < max_processes) {
        const pid_t next = waiting.back();
        waiting.pop_back();
        const auto status = root.read_file(proc_path(next, "status"));
        if (!status)
            continue;
        ++tree.nr_processes;
        tree.processor += processor_time(root, next);
        const ProcessMemory memory = parse_process_memory(*status);
        tree.resident_bytes += memory.resident_bytes;
        tree.swap_bytes += memory.swap_bytes;
        for (const pid_t child : children_of(root, next))
            waiting.push_back(child);
    }
    return tree;
}

bool is_below_transparent_slice(const RootDir& root, pid_t pid) {
    const auto text = root.read_file(proc_path(pid, "cgroup"));
    if (!text)
        return false;
    const std::string slice = "/" + std::string(transparent_slice);
    return text->find(slice + "/") != std::string::npos || text->find(slice + "\n") != std::string::npos;
}

bool is_out_of_reach(std::string_view plan_class) {
    return plan_class.find("vbox") != std::string_view::npos || plan_class.find("docker") != std::string_view::npos;
}

}  // namespace tmm::boinc
