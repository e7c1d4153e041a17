// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A library that uses softlib, for host.c.
#include <softlib/pool.hpp>

extern "C" int sum_of_reads() {
    static soft::pool<int> numbers("numbers", [] { return 7; });
    static const auto number = numbers.make();
    int sum = 0;
    for (int i = 0; i < 1000; ++i) {
        sum += number.read();
    }
    return sum;
}
