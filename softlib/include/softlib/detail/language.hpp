// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// For headers that need no other of softlib: in an older language, hundreds of other errors would follow.
#pragma once

// gcc 10 says 201709 with -std=c++20.
#if __cplusplus < 201709L
#error "softlib needs C++20: compile with -std=c++20 or later"
#endif
