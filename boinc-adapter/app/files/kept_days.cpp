// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/kept_days.hpp"

#include <array>
#include <ctime>
#include <string>
#include <utility>

namespace tmm::boinc {

namespace {

// A crash loses so much of the account.
constexpr std::chrono::minutes save_interval{10};

std::string local_date(std::chrono::milliseconds wall) {
    const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(wall).count();
    std::tm local{};
    std::array<char, 32> text{};
    ::localtime_r(&seconds, &local);
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &local)};
}

}  // namespace

void KeptDays::load() {
    auto days = files_.load_days();
    if (days) {
        account_ = DayAccount(*std::move(days));
        return;
    }
    log_.warning(days.error().message() + "; the account of days begins anew");
    if (!dry_run_)
        (void)files_.put_aside_days();  // it would be replaced all the same
}

void KeptDays::add(const std::vector<MeasuredTask>& tasks, Now now) {
    account_.add(local_date(now.wall), tasks, now.elapsed);
    if (saved_at_ && now.elapsed - *saved_at_ < save_interval)
        return;
    if (saved_at_)
        save();
    saved_at_ = now.elapsed;
}

void KeptDays::save() {
    if (dry_run_)
        return;
    const auto saved = files_.save_days(days());
    problems_.warn(saved ? std::string() : saved.error().message(), "; the account of days ends with tmm-boinc");
}

}  // namespace tmm::boinc
