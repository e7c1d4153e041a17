// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FakeStore: the override and its backup in memory, for tests. It dies after a number of operations, as an adapter does.
#pragma once

#include <cerrno>
#include <limits>
#include <optional>
#include <utility>

#include "boinc-adapter/policy/donation/override_keeper.hpp"

namespace tmm::boinc {

class FakeStore : public OverrideStore {
public:
    static constexpr int unlimited = std::numeric_limits<int>::max();

    explicit FakeStore(OverrideText users) : text(std::move(users)) {}

    OverrideText text;
    std::optional<OverrideBackup> backup;
    int operations_left = unlimited;
    bool has_no_room = false;      // for a backup
    bool tears_next_save = false;  // it fails after a part of the text

    Result<OverrideText> load() override {
        if (!lives())
            return dead();
        return text;
    }
    Result<void> save(const OverrideText& wanted) override {
        if (!lives())
            return dead();
        if (std::exchange(tears_next_save, false)) {
            text = wanted->substr(0, wanted->size() / 2);
            return dead();
        }
        text = wanted;
        return {};
    }
    Result<std::optional<OverrideBackup>> load_backup() override {
        if (!lives())
            return dead();
        return backup;
    }
    Result<void> save_backup(const OverrideBackup& wanted) override {
        if (!lives() || has_no_room)
            return dead();
        backup = wanted;
        return {};
    }
    Result<void> erase_backup() override {
        if (!lives())
            return dead();
        backup.reset();
        return {};
    }

private:
    bool lives() { return operations_left == unlimited || operations_left-- > 0; }
    static Error dead() { return Error::from_errno(ENOSPC, "the fake store"); }
};

}  // namespace tmm::boinc
