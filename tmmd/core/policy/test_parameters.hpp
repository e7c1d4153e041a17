// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parameters of policies, for tests.
#pragma once

#include "tmmd/core/policy/policy.hpp"

namespace tmm::core {

inline constexpr Pages installed(10240);  // so a histogram bucket is 10 pages

inline PolicyParameters by_paper() {
    PolicyParameters parameters;
    parameters.objective = Objective::paper;
    return parameters;
}

}  // namespace tmm::core
