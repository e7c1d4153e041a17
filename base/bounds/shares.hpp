// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Shares: how much of each user's answers may wait to be read, so nobody's unread answers take the room of others. An answer
// counts until its reader is known to have read it: somebody asks where the answers wait, and learn() takes the reply. Pure. Not
// thread-safe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tmm {

class Shares {
public:
    using Reader = std::pair<uid_t, std::string>;  // user and sender

    // max_readers: more cannot be there at once, so some have left.
    Shares(std::size_t max_bytes_per_user, std::size_t max_readers)
        : max_bytes_per_user_(max_bytes_per_user), max_readers_(max_readers) {}

    // Returns whether the user has some of its share left. Its last answer may exceed it.
    [[nodiscard]] bool has_left(uid_t user) const;

    // Returns the bytes of answers to the reader that may be unread.
    [[nodiscard]] std::size_t unread(const Reader& reader) const;

    // Counts an answer; its size may be guessed too low, for learn() corrects it.
    void take(const Reader& reader, std::size_t bytes);

    // Returns the readers of the user to ask about now: those of whom nobody asks, if half of the share is taken. Notes that
    // somebody asks.
    std::vector<Reader> ask(uid_t user);

    // unread: bytes of the answers before ask() that the reader has not read; none if it has left. Later ones count as before.
    void learn(const Reader& reader, std::size_t unread);

    // As ask(), for all users, with those who had left answers unread: they are not asked about without a break. Beyond
    // max_readers, it returns all.
    std::vector<Reader> ask_again();

private:
    struct Taken {
        std::size_t bytes = 0;
        std::size_t later = 0;  // of these, those since somebody asks
        bool asked = false;
        bool unread = false;  // as somebody has learnt since ask_again()
    };
    struct User {
        std::size_t bytes = 0;
        std::map<std::string, Taken> readers;  // those who have any
    };

    static std::vector<Reader> ask(uid_t user, std::map<std::string, Taken>& readers);

    std::size_t max_bytes_per_user_;
    std::size_t max_readers_;
    std::map<uid_t, User> users_;  // those who have any
};

}  // namespace tmm
