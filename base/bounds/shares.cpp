// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/shares.hpp"

#include <algorithm>
#include <iterator>

namespace tmm {

bool Shares::has_left(uid_t user) const {
    const auto found = users_.find(user);
    return found == users_.end() || found->second.bytes < max_bytes_per_user_;
}

std::size_t Shares::unread(const Reader& reader) const {
    const auto user = users_.find(reader.first);
    if (user == users_.end())
        return 0;
    const auto found = user->second.readers.find(reader.second);
    return found == user->second.readers.end() ? 0 : found->second.bytes;
}

void Shares::take(const Reader& reader, std::size_t bytes) {
    if (bytes == 0)
        return;
    User& user = users_[reader.first];
    Taken& taken = user.readers[reader.second];
    user.bytes += bytes;
    taken.bytes += bytes;
    taken.later += bytes;
}

std::vector<Shares::Reader> Shares::ask(uid_t user) {
    const auto found = users_.find(user);
    if (found == users_.end() || 2 * found->second.bytes < max_bytes_per_user_)
        return {};
    return ask(user, found->second.readers);
}

std::vector<Shares::Reader> Shares::ask(uid_t user, std::map<std::string, Taken>& readers) {
    std::vector<Reader> asked;
    for (auto& [sender, taken] : readers) {
        if (taken.asked || taken.unread)
            continue;
        taken.asked = true;
        taken.later = 0;
        asked.emplace_back(user, sender);
    }
    return asked;
}

void Shares::learn(const Reader& reader, std::size_t unread) {
    const auto user = users_.find(reader.first);
    if (user == users_.end())
        return;
    const auto found = user->second.readers.find(reader.second);
    if (found == user->second.readers.end() || !found->second.asked)
        return;
    Taken& taken = found->second;
    const std::size_t left = unread + taken.later;
    user->second.bytes = user->second.bytes - taken.bytes + left;
    taken = {.bytes = left, .later = taken.later, .asked = false, .unread = unread > 0};
    if (left == 0)
        user->second.readers.erase(found);
    if (user->second.readers.empty())
        users_.erase(user);
}

std::vector<Shares::Reader> Shares::ask_again() {
    std::size_t nr_readers = 0;
    for (const auto& [id, user] : users_)
        nr_readers += user.readers.size();
    std::vector<Reader> asked;
    for (auto& [id, user] : users_) {
        for (auto& [sender, taken] : user.readers)
            taken.unread = false;
        std::ranges::move(nr_readers > max_readers_ ? ask(id, user.readers) : ask(id), std::back_inserter(asked));
    }
    return asked;
}

}  // namespace tmm
