// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What ld.so(8) runs before main(), and fork(2) in a child: meets the pager and starts the hand. A program that cannot have a
// hand runs on with local memory alone, and says so; a child of a fork whose pages are far reads them all the same.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "farmem/core/page.hpp"
#include "farmem/include/tmm_far.h"
#include "farmem/preload/hand.hpp"
#include "farmem/uffd/abi.hpp"

namespace tmm::far {

namespace {

constexpr int max_files = 3;

// Written once, before main().
sockaddr_un pager_address;
char program_name[max_name];
Hand own_hand;

void say(const char* what) {
    static constexpr std::string_view prefix = "tmm-far: this process has no far memory: ";
    (void)!::write(2, prefix.data(), prefix.size());
    (void)!::write(2, what, std::strlen(what));
    (void)!::write(2, "\n", 1);
}

bool send_message(int socket, HandMessage& message, int file) {
    iovec vector{.iov_base = &message, .iov_len = short_message_bytes};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &vector;
    header.msg_iovlen = 1;
    if (file >= 0) {
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        cmsghdr* const rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(rights), &file, sizeof file);
    }
    return ::sendmsg(socket, &header, MSG_NOSIGNAL) >= 0;
}

// Returns how many files came along, or -1 if the message is not of that kind.
int receive_message(int socket, MessageKind kind, HandMessage& message, int (&files)[max_files]) {
    iovec vector{.iov_base = &message, .iov_len = sizeof message};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)] = {};
    msghdr header{};
    header.msg_iov = &vector;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t bytes = 0;
    do
        bytes = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    while (bytes < 0 && errno == EINTR);
    int nr_files = 0;
    if (const cmsghdr* const rights = CMSG_FIRSTHDR(&header); rights && rights->cmsg_type == SCM_RIGHTS) {
        nr_files = static_cast<int>((rights->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(files, CMSG_DATA(rights), static_cast<std::size_t>(nr_files) * sizeof(int));
    }
    return bytes >= static_cast<ssize_t>(message_header_bytes) && message.kind == kind ? nr_files : -1;
}

bool map_memory(Hand& hand) {
    // Each between pages that nobody has. Else the kernel makes one mapping of it and the program's memory beside it, and zeros
    // that are filled along the program's last pages reach into it.
    constexpr std::uint64_t staging_bytes = staging_pages * page_bytes;
    void* const reserved =
        ::mmap(nullptr, staging_bytes + 4 * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        return false;
    hand.staging = static_cast<char*>(reserved) + page_bytes;
    char* const beacon = hand.staging + staging_bytes + page_bytes;
    hand.beacon = reinterpret_cast<std::uint64_t>(beacon);
    return ::mprotect(hand.staging, staging_bytes, PROT_READ | PROT_WRITE) == 0 &&
           ::mprotect(beacon, page_bytes, PROT_READ | PROT_WRITE) == 0;
}

// Meets the pager over the socket. space: of a forked child, else 0. Returns what went wrong, or null.
const char* meet_pager(Hand& hand, std::uint64_t space) {
    if (::connect(hand.socket, reinterpret_cast<const sockaddr*>(&pager_address), sizeof pager_address) != 0)
        return "no pager answers (see tmm-far(1))";
    ucred peer{};
    socklen_t length = sizeof peer;
    if (::getsockopt(hand.socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || peer.uid != ::geteuid())
        return "the pager is another user's";
    HandMessage message{};
    message.kind = MessageKind::hello;
    message.count = protocol_version;
    message.number = space;
    std::memcpy(message.name, program_name, sizeof program_name);
    int files[max_files] = {-1, -1, -1};
    if (!send_message(hand.socket, message, -1) ||
        receive_message(hand.socket, MessageKind::welcome, message, files) != max_files)
        return "the pager refuses it";
    void* const block = ::mmap(nullptr, sizeof(HandBlock), PROT_READ | PROT_WRITE, MAP_SHARED, files[0], 0);
    void* const slots = ::mmap(nullptr, message.number, PROT_READ | PROT_WRITE, MAP_SHARED, files[1], 0);
    ::close(files[0]);
    ::close(files[1]);
    hand.uffd = files[2];
    if (block == MAP_FAILED || slots == MAP_FAILED)
        return "no memory";
    hand.block = static_cast<HandBlock*>(block);
    hand.slots = static_cast<char*>(slots);
    // What another hand's children inherit would keep its slots' memory.
    ::madvise(block, sizeof(HandBlock), MADV_DONTFORK);
    ::madvise(slots, message.number, MADV_DONTFORK);
    if (!hand.is_child) {
        const int device = hand.uffd;
        hand.uffd = ::ioctl(device, USERFAULTFD_IOC_NEW, O_CLOEXEC | O_NONBLOCK);
        ::close(device);
        if (hand.uffd < 0 || !map_memory(hand))
            return "no userfaultfd";
    }
    message = {};
    message.kind = MessageKind::ready;
    message.number = hand.beacon;
    if (!send_message(hand.socket, message, hand.is_child ? -1 : hand.uffd) ||
        receive_message(hand.socket, MessageKind::go, message, files) < 0)
        return "the pager refuses its userfaultfd";
    if (!hand.is_child) {
        uffdio_register call{};
        call.range = {.start = hand.beacon, .len = page_bytes};
        call.mode = UFFDIO_REGISTER_MODE_MISSING;
        if (::ioctl(hand.uffd, UFFDIO_REGISTER, &call) != 0)
            return "no userfaultfd";
    }
    return start_hand(hand) ? nullptr : "no thread";
}

void start(Hand hand, std::uint64_t space) {
    hand.socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const char* const problem = hand.socket < 0 ? "no socket" : meet_pager(hand, space);
    // The thread has copies. A page that is still to come needs a userfaultfd that is open somewhere: the pager has it.
    if (hand.socket >= 0)
        ::close(hand.socket);
    if (hand.uffd >= 0)
        ::close(hand.uffd);
    if (problem)
        say(problem);
    own_hand = hand;
}

// The page is there for nobody yet: the pager answers the fault with the number of the space that it came from.
void after_fork_in_child() {
    own_hand.block = nullptr;  // it stays with the parent
    if (own_hand.beacon == 0)
        return;
    const int error = errno;
    auto* const beacon = reinterpret_cast<const volatile std::uint64_t*>(own_hand.beacon);
    const std::uint64_t space = *beacon;
    ::madvise(const_cast<std::uint64_t*>(beacon), page_bytes, MADV_DONTNEED);
    Hand child = own_hand;
    child.socket = child.uffd = -1;
    child.is_child = true;
    if (space != 0)
        start(child, space);
    errno = error;
}

__attribute__((constructor)) void before_main() {
    const char* const given = std::getenv("TMM_FAR");
    if (!given)
        return;
    const std::string_view text(given);
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos || colon >= sizeof pager_address.sun_path || text.size() - colon - 1 >= sizeof program_name)
        return say("TMM_FAR is not SOCKET:NAME");
    pager_address.sun_family = AF_UNIX;
    std::memcpy(pager_address.sun_path, given, colon);
    std::memcpy(program_name, given + colon + 1, text.size() - colon - 1);
    start({}, 0);
    ::pthread_atfork(nullptr, nullptr, after_fork_in_child);
}

}  // namespace

}  // namespace tmm::far

std::size_t tmm_far_hint(const tmm_far_edge* edges, std::size_t nr_edges) {
    using namespace tmm::far;
    if (!own_hand.block)
        return 0;
    HandHints& hints = own_hand.block->hints;
    while (hints.is_locked.exchange(1) != 0)
        ::sched_yield();
    const std::uint32_t written = hints.written.load();
    const bool has_room = nr_edges <= hints.edges.size() - (written - hints.read.load());
    for (std::uint32_t i = 0; has_room && i < nr_edges; ++i)
        hints.edges[(written + i) % hints.edges.size()] = {reinterpret_cast<std::uint64_t>(edges[i].from),
                                                           reinterpret_cast<std::uint64_t>(edges[i].to)};
    if (has_room)
        hints.written.store(written + static_cast<std::uint32_t>(nr_edges));
    hints.is_locked.store(0);
    return has_room ? nr_edges : 0;
}
