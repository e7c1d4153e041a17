// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/notices.hpp"

namespace tmm::app {

std::vector<Notice> Notices::look(const core::Snapshot& snapshot) {
    std::vector<Notice> news;
    if (snapshot.trouble != trouble_)
        news.push_back({snapshot.trouble ? "trouble" : "works-again", snapshot.reason});
    // That it is over is no news: contributions go on, as they do most of the time.
    if (snapshot.pressed && !pressed_)
        news.push_back({"pressure", snapshot.reason});
    trouble_ = snapshot.trouble;
    pressed_ = snapshot.pressed;
    return news;
}

}  // namespace tmm::app
