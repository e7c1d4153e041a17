// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-timeline: a social network in two processes. "posts" keeps the latest posts of each author; "timeline" merges those of all
// whom a reader follows. Both cache in soft memory of their own; posts are written again on the spot.
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

#include "options.hpp"
#include "popularity.hpp"
#include "progress.hpp"
#include "softlib/cache.hpp"

namespace {

using namespace tmm::soft_memory;

constexpr std::size_t followed = 24;
constexpr std::size_t posts_of_author = 20;
constexpr std::size_t shown = 40;

struct Post {
    std::uint64_t time;
    std::array<char, 248> text;
};
using Posts = std::array<Post, posts_of_author>;
using Authors = std::array<std::uint32_t, followed>;
using Timeline = std::array<Post, shown>;

// Stands for rendering: some 100 us.
Posts write_posts(std::uint32_t author) {
    Posts posts{};
    std::mt19937_64 random(author);
    for (Post& post : posts) {
        post.time = random();
        for (char& letter : post.text) {
            for (int i = 0; i < 4; ++i)
                letter = static_cast<char>('a' + random() % 26);
        }
    }
    return posts;
}

// Sends the two latest posts of each author it is asked for, until the other side ends.
void serve_posts(int socket) {
    soft::cache<std::uint32_t, Posts> cached("posts", {});
    Progress progress("posts");
    Authors authors;
    std::array<Post, 2 * followed> answer;
    while (::recv(socket, authors.data(), sizeof authors, 0) == sizeof authors) {
        for (std::size_t i = 0; i < followed; ++i) {
            const std::uint32_t author = authors[i];
            const Posts posts = cached.get_or(author, [&] { return progress.rebuild([&] { return write_posts(author); }); });
            std::copy_n(posts.begin(), 2, answer.begin() + static_cast<std::ptrdiff_t>(2 * i));
            progress.request();
        }
        if (::send(socket, answer.data(), sizeof answer, MSG_NOSIGNAL) != sizeof answer)
            return;
    }
}

Timeline merge(int socket, std::uint32_t reader, std::uint32_t authors_in_all) {
    std::mt19937 random(reader);
    Authors authors;
    for (std::uint32_t& author : authors) {
        // Few authors are followed by many.
        const double at = std::uniform_real_distribution<double>(0, 1)(random);
        author = static_cast<std::uint32_t>(at * at * at * authors_in_all);
    }
    std::array<Post, 2 * followed> posts;
    if (::send(socket, authors.data(), sizeof authors, MSG_NOSIGNAL) != sizeof authors ||
        ::recv(socket, posts.data(), sizeof posts, 0) != sizeof posts) {
        std::perror("soft-timeline: the other process");
        std::exit(1);
    }
    std::ranges::sort(posts, std::greater<>(), &Post::time);
    Timeline timeline;
    std::copy_n(posts.begin(), shown, timeline.begin());
    return timeline;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options(argc, argv, 20000);
    std::array<int, 2> sockets{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        std::perror("soft-timeline: socketpair");
        return 1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        // For the coordinator's list.
        static std::array<char, 6> name{"posts"};
        program_invocation_short_name = name.data();
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        ::close(sockets[0]);
        serve_posts(sockets[1]);
        return 0;
    }
    ::close(sockets[1]);
    soft::cache<std::uint32_t, Timeline> cached("timelines", {});
    Progress progress("timeline");
    Popularity popularity(options.items, 0.9, 2);
    std::uint64_t seen = 0;
    while (progress.seconds() < options.seconds) {
        const std::uint32_t reader = popularity.draw(options.phase(progress.seconds()));
        const Timeline timeline =
            cached.get_or(reader, [&] { return progress.rebuild([&] { return merge(sockets[0], reader, options.items); }); });
        // Stands for the page around it.
        for (const Post& post : timeline)
            seen += static_cast<std::uint64_t>(std::count(post.text.begin(), post.text.end(), 'e'));
        progress.request();
    }
    std::fprintf(stderr, "letters %llu\n", static_cast<unsigned long long>(seen));
}
