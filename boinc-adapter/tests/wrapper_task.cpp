// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a program under BOINC, in the place of BOINC's own wrapper, which no package of Debian's has. It does what that does for
// the one task of job.xml: starts the program `povray` of the project with the file's arguments and its own, passes on what the
// client orders, and tells the client the program's processor time and checkpoints. Orders go through BOINC's library, so signals
// are those of its release.
#include <boinc/boinc_api.h>
#include <boinc/filesys.h>
#include <boinc/proc_control.h>
#include <boinc/procinfo.h>
#include <boinc/util.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr double poll_s = 1;

std::string in_project(const char* name) {
    std::string path;
    boinc_resolve_filename_s(name, path);
    return path;
}

// Empty if the file lacks it.
std::string value_of(const std::string& xml, const std::string& tag) {
    const auto begin = xml.find("<" + tag + ">");
    const auto end = xml.find("</" + tag + ">");
    if (begin == std::string::npos || end == std::string::npos)
        return {};
    return xml.substr(begin + tag.size() + 2, end - begin - tag.size() - 2);
}

pid_t start(const std::string& program, const std::string& arguments, int argc, char** argv, const std::string& log) {
    std::vector<std::string> words{program};
    std::istringstream stream(arguments);
    words.insert(words.end(), std::istream_iterator<std::string>(stream), {});
    words.insert(words.end(), argv + 1, argv + argc);
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t pid = ::fork();
    if (pid != 0)
        return pid;
    if (const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666); file >= 0)
        ::dup2(file, STDERR_FILENO);
    ::execv(program.c_str(), pointers.data());
    ::_exit(127);
}

// Modification time; zero without a file.
timespec changed(const std::string& path) {
    struct stat file {};
    return ::stat(path.c_str(), &file) == 0 ? file.st_mtim : timespec{};
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void obey(pid_t program, bool& is_suspended) {
    BOINC_STATUS status{};
    boinc_get_status(&status);
    if (status.no_heartbeat != 0 || status.quit_request != 0 || status.abort_request != 0) {
        kill_descendants(program);
        if (status.abort_request != 0)
            boinc_finish(EXIT_ABORTED_BY_CLIENT);
        ::_exit(0);
    }
    if ((status.suspended != 0) != is_suspended) {
        is_suspended = !is_suspended;
        suspend_or_resume_descendants(!is_suspended);
    }
}

}  // namespace

int main(int argc, char** argv) {
    BOINC_OPTIONS options;
    boinc_options_defaults(options);
    options.main_program = 1;
    options.check_heartbeat = 1;
    options.handle_process_control = 1;
    options.direct_process_action = 0;
    options.send_status_msgs = 0;
    boinc_init_options(&options);

    std::ifstream file(in_project("job.xml"));
    const std::string job{std::istreambuf_iterator<char>(file), {}};
    const std::string checkpoint = value_of(job, "checkpoint_filename");
    const pid_t program =
        start(in_project("povray"), value_of(job, "command_line"), argc, argv, value_of(job, "stderr_filename"));
    if (program < 0 || job.empty())
        boinc_finish(1);

    double earlier_s = 0;
    boinc_wu_cpu_time(earlier_s);
    double checkpoint_s = earlier_s;
    timespec saved = changed(checkpoint);
    bool is_suspended = false;
    int result = 0;
    rusage used{};
    while (::wait4(program, &result, WNOHANG, &used) == 0) {
        obey(program, is_suspended);
        const double cpu_s = earlier_s + process_tree_cpu_time(program);
        if (const timespec now = changed(checkpoint); now.tv_sec != saved.tv_sec || now.tv_nsec != saved.tv_nsec) {
            saved = now;
            checkpoint_s = cpu_s;
        }
        boinc_report_app_status(cpu_s, checkpoint_s, 0);
        boinc_sleep(poll_s);
    }
    const double final_s = earlier_s + seconds(used.ru_utime) + seconds(used.ru_stime);
    boinc_report_app_status(final_s, final_s, 1);
    boinc_finish(WIFEXITED(result) ? WEXITSTATUS(result) : 1);
}
