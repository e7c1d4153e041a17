// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ShortSpin: whether to look again and again for an answer before one sleeps until it is there. That saves a wake, but where the
// other side has no other processor, the answer cannot come meanwhile: one that did not come makes it rare. Pure.
#pragma once

#include <cstdint>

namespace tmm::far {

class ShortSpin {
public:
    // A wait begins.
    [[nodiscard]] bool is_worthwhile() { return pays_ || ++nr_left_out_ % interval == 0; }
    // After one that was worthwhile: whether the answer came.
    void ended(bool has_come) { pays_ = has_come; }

private:
    static constexpr std::uint32_t interval = 64;

    bool pays_ = true;
    std::uint32_t nr_left_out_ = 0;
};

}  // namespace tmm::far
