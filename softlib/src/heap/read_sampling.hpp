// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace soft::detail {

/// Whether a sampled read loses or validates its object, by the probabilities of softlib/testing.hpp.
bool loses_sample() noexcept;
bool validates_sample() noexcept;

}  // namespace soft::detail
