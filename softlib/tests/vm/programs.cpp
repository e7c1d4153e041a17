// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/vm/programs.hpp"

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace soft::pressure {
namespace {

constexpr uid_t nobody = 65534;

[[noreturn]] void serve(int orders, int answers, const Other::Work& work) {
    std::uint64_t number = 0;
    while (read(orders, &number, sizeof number) == sizeof number) {
        number = work(number);
        if (write(answers, &number, sizeof number) != sizeof number) {
            break;
        }
    }
    _exit(0);
}

}  // namespace

Other::Other(const Work& work) {
    int orders[2];
    int answers[2];
    if (pipe(orders) != 0 || pipe(answers) != 0 || (pid_ = fork()) < 0) {
        throw std::runtime_error("cannot start another process");
    }
    if (pid_ == 0) {
        close(orders[1]);
        close(answers[0]);
        serve(orders[0], answers[1], work);
    }
    close(orders[0]);
    close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
}

Other::~Other() {
    close(orders_);
    close(answers_);
    waitpid(pid_, nullptr, 0);
}

void Other::order(std::uint64_t order) {
    if (write(orders_, &order, sizeof order) != sizeof order) {
        throw std::runtime_error("the other process takes no orders");
    }
}

std::uint64_t Other::answer() {
    std::uint64_t number = 0;
    if (read(answers_, &number, sizeof number) != sizeof number) {
        throw std::runtime_error("the other process is dead");
    }
    return number;
}

void drop_privileges() {
    if (getuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0)) {
        throw std::runtime_error("cannot become an ordinary user");
    }
}

std::uint64_t vmstat(const std::string& name) {
    std::ifstream file("/proc/vmstat");
    std::string word;
    for (std::uint64_t number = 0; file >> word >> number;) {
        if (word == name) {
            return number;
        }
    }
    return 0;
}

void say(const char* name, std::uint64_t value) {
    std::printf("%s=%llu\n", name, static_cast<unsigned long long>(value));
    std::fflush(stdout);
}

}  // namespace soft::pressure
