// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// System calls without libc, for the hand's thread: it has no thread-local memory of its own, so no errno either. Each returns
// the result, or a negative error number.
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace tmm::far::raw {

template <typename... Arguments>
inline long call(long number, Arguments... arguments) {
    static_assert(sizeof...(arguments) <= 6);
    const long given[6] = {(long)arguments...};
#if defined(__x86_64__)
    long result;
    register long fourth asm("r10") = given[3];
    register long fifth asm("r8") = given[4];
    register long sixth asm("r9") = given[5];
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(given[0]), "S"(given[1]), "d"(given[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                 : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long code asm("x8") = number;
    register long first asm("x0") = given[0];
    register long second asm("x1") = given[1];
    register long third asm("x2") = given[2];
    register long fourth asm("x3") = given[3];
    register long fifth asm("x4") = given[4];
    register long sixth asm("x5") = given[5];
    asm volatile("svc 0" : "+r"(first) : "r"(code), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth) : "memory");
    return first;
#else
#error "far memory knows x86-64 and aarch64"
#endif
}

// Starts function(argument) in a thread of this process that shares all but its files, of which it has copies. Nobody waits for
// it; it ends with the process. Returns its thread id. stack_top: aligned to 16.
inline long start_thread(void* stack_top, void (*function)(void*), void* argument, long flags) {
#if defined(__x86_64__)
    long result;
    register long fourth asm("r10") = 0;
    register long fifth asm("r8") = 0;
    void** const top = static_cast<void**>(stack_top);
    top[-1] = argument;
    top[-2] = reinterpret_cast<void*>(function);
    asm volatile(
        "syscall\n\t"
        "test %%rax, %%rax\n\t"
        "jnz 1f\n\t"
        "xor %%ebp, %%ebp\n\t"
        "pop %%rax\n\t"
        "pop %%rdi\n\t"
        "call *%%rax\n\t"
        "ud2\n"
        "1:"
        : "=a"(result)
        : "a"(SYS_clone), "D"(flags), "S"(top - 2), "d"(0), "r"(fourth), "r"(fifth)
        : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long code asm("x8") = SYS_clone;
    register long first asm("x0") = flags;
    register long second asm("x1") = reinterpret_cast<long>(stack_top);
    register long third asm("x2") = 0;
    register long fourth asm("x3") = 0;
    register long fifth asm("x4") = 0;
    register long entry asm("x9") = reinterpret_cast<long>(function);
    register long given asm("x10") = reinterpret_cast<long>(argument);
    asm volatile(
        "svc 0\n\t"
        "cbnz x0, 1f\n\t"
        "mov x0, x10\n\t"
        "blr x9\n\t"
        "brk 0\n"
        "1:"
        : "+r"(first)
        : "r"(code), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(entry), "r"(given)
        : "memory", "x30");
    return first;
#endif
}

}  // namespace tmm::far::raw
