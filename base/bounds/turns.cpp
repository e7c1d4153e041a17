// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/turns.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tmm {

bool Turns::may_begin(const User& user, const std::string& sender) const {
    if (user.open.contains(sender))
        return false;
    return user.open.empty() || (user.open.size() < bounds_.max_open_per_user && open_ < bounds_.max_open);
}

bool Turns::take(const std::string& sender, uid_t user, Begin begin) {
    User& of_user = users_[user];
    const auto waiting_of_sender = static_cast<std::size_t>(
        std::count_if(of_user.waiting.begin(), of_user.waiting.end(), [&](const Waiting& one) { return one.sender == sender; }));
    if (waiting_of_sender == 0 && may_begin(of_user, sender)) {
        of_user.open.insert(sender);
        ++open_;
        begin(std::nullopt);
        return true;
    }
    const bool is_first = waiting_of_sender == 0 && !of_user.open.contains(sender);
    const std::size_t max = is_first ? 4 * bounds_.max_waiting_per_user : bounds_.max_waiting_per_user;
    if (waiting_of_sender >= bounds_.max_waiting_per_sender || of_user.waiting.size() >= max)
        return false;
    of_user.waiting.push_back({sender, std::move(begin)});
    return true;
}

void Turns::done(const std::string& sender, uid_t user) {
    const auto of_user = users_.find(user);
    if (of_user == users_.end() || of_user->second.open.erase(sender) == 0)
        return;
    --open_;
    begin_next();
}

void Turns::refuse(uid_t user, const Error& error) {
    const auto of_user = users_.find(user);
    if (of_user == users_.end())
        return;
    // What they call may take turns again.
    const std::deque<Waiting> refused = std::exchange(of_user->second.waiting, {});
    for (const Waiting& one : refused)
        one.begin(error);
}

void Turns::begin_next() {
    std::vector<Begin> begun;  // what they call may take turns again
    for (auto& [id, user] : users_) {
        for (auto one = user.waiting.begin(); one != user.waiting.end();) {
            if (!may_begin(user, one->sender)) {
                ++one;
                continue;
            }
            user.open.insert(one->sender);
            ++open_;
            begun.push_back(std::move(one->begin));
            one = user.waiting.erase(one);
        }
    }
    std::erase_if(users_, [](const auto& entry) { return entry.second.open.empty() && entry.second.waiting.empty(); });
    for (const Begin& begin : begun)
        begin(std::nullopt);
}

}  // namespace tmm
