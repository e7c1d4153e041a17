// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/notices.hpp"

namespace tmm::app {

std::vector<Notice> Notices::update(const Condition& condition) {
    std::vector<Notice> news;
    if (condition.trouble != trouble_)
        news.push_back({condition.trouble ? "trouble" : "works-again", condition.reason});
    // The end of pressure gives no notice: contributions go on, as they do most of the time.
    if (condition.under_pressure && !pressed_)
        news.push_back({"pressure", condition.reason});
    trouble_ = condition.trouble;
    pressed_ = condition.under_pressure;
    return news;
}

}  // namespace tmm::app
