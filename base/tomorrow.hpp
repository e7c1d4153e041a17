// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What people mean by "until tomorrow": when I have slept, after midnight too. So a day begins at four, and the next day's work
// at six.
#pragma once

namespace tmm {

constexpr int day_begins_hour = 4;
constexpr int work_begins_hour = 6;

}  // namespace tmm
