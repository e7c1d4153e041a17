// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib beside std::unique_ptr, std::unordered_map, plain copies and madvise(2): ./run bench softlib. Figures are medians of
// repetitions of one run; the ratios count.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
