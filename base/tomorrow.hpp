// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The hours that "until tomorrow" means to people. Tomorrow comes after a night's sleep, also when it is past midnight: so a day
// begins at four, and the next day's work at six.
#pragma once

namespace tmm {

constexpr int day_begins_hour = 4;
constexpr int work_begins_hour = 6;

}  // namespace tmm
