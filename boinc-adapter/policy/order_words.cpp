// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/order_words.hpp"

#include "base/text/utf8.hpp"
#include "base/units.hpp"

namespace tmm::boinc {

std::vector<std::string> words_of(const Orders& orders, const std::map<TaskId, std::uint64_t>& waiting) {
    std::vector<std::string> words;
    if (orders.preferences)
        words.push_back("limit memory to " + format_fixed(orders.preferences->busy_percent, 2) + " % in use, " +
                        format_fixed(orders.preferences->idle_percent, 2) + " % idle");
    if (orders.restore_preferences)
        words.push_back("bring the user's preferences back");
    for (const TaskId& task : orders.suspend)
        words.push_back("suspend " + printable(task.name) + ", which waits for " + format_bytes(waiting.at(task)));
    for (const TaskId& task : orders.resume)
        words.push_back("resume " + printable(task.name));
    if (orders.stop_for)
        words.push_back("stop all tasks");
    if (orders.restore_mode)
        words.push_back("let tasks run again");
    return words;
}

}  // namespace tmm::boinc
