// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/accounts.hpp"

namespace tmm::caches {

bool Account::reserve_input(std::size_t bytes) {
    std::size_t held = input_bytes_.load();
    while (held == 0 || held + bytes <= max_bytes_) {
        if (input_bytes_.compare_exchange_weak(held, held + bytes))
            return true;
    }
    return false;
}

std::shared_ptr<Account> Accounts::join(const std::string& user) {
    const std::lock_guard lock(mutex_);
    if (connections_ >= bounds_.max_connections)
        return nullptr;
    auto& account = users_[user];
    if (!account)
        account = std::make_shared<Account>(bounds_.max_bytes_per_user);
    if (user != own_user_ && account->connections_ >= bounds_.max_connections_per_user)
        return nullptr;
    ++account->connections_;
    ++connections_;
    return account;
}

void Accounts::leave(const std::string& user) {
    const std::lock_guard lock(mutex_);
    const auto found = users_.find(user);
    --connections_;
    if (--found->second->connections_ == 0)
        users_.erase(found);
}

std::size_t Accounts::connections() const {
    const std::lock_guard lock(mutex_);
    return connections_;
}

}  // namespace tmm::caches
