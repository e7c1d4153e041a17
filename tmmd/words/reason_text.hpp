// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes English sentences of reasons, for the log, the timeline, tmm-replay(1) and the property Reason on the bus. The window
// makes its own, in the owner's language. Pure.
#pragma once

#include <string>

#include "tmmd/core/pages.hpp"
#include "tmmd/core/reason.hpp"

namespace tmm::words {

// Returns one sentence without a full stop or a quotation mark. page_bytes: the size of a base page, above 0.
std::string sentence(const core::Reason& reason, Bytes page_bytes);

}  // namespace tmm::words
