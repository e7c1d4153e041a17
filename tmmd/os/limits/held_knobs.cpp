// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/held_knobs.hpp"

#include <algorithm>
#include <utility>

#include "base/units.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

HeldKnobs::~HeldKnobs() {
    // What cannot be written now, `tmmd --release` tries again.
    if (knobs_.begun())
        static_cast<void>(knobs_.restore());
}

// Returns the setting that an administrator made.
core::Pages HeldKnobs::before(const std::string& path, core::Pages if_none) const {
    const auto bytes = parse_uint(knobs_.before(path));
    return bytes ? core::to_pages(Bytes(*bytes), page_bytes()) : if_none;
}

void HeldKnobs::set_at_least(const std::string& path, core::Pages pages) {
    if (knobs_.before(path) != "max")
        set(path, std::max(pages, before(path, core::Pages(0))));
}

void HeldKnobs::set_at_most(const std::string& path, core::Pages pages) {
    set(path, std::min(pages, before(path, pages)));
}

void HeldKnobs::set(const std::string& path, core::Pages pages) {
    const auto before = in_force_.find(path);
    const bool is_worth = before == in_force_.end() || core::worth_a_write(before->second, pages, page_bytes());
    collected_[path] = is_worth ? pages : before->second;
}

Result<void> HeldKnobs::begin() {
    collected_.clear();
    switched_on_.clear();
    return knobs_.begin();
}

Result<void> HeldKnobs::apply() {
    std::vector<KnobValue> values;
    // Those of an earlier run, too.
    for (const std::string& path : knobs_.held()) {
        if (!collected_.contains(path) && !switched_on_.contains(path))
            values.push_back({path, knobs_.before(path)});
    }
    // Also those that are not new: systemd resets the settings of its units when it reloads them.
    for (const auto& [path, pages] : collected_)
        values.push_back({path, std::to_string(core::to_bytes(pages, page_bytes()).count())});
    for (const std::string& path : switched_on_)
        values.push_back({path, "1"});
    // If there is no room for all, those at the top come first: they protect the most, and users cannot make any.
    const auto depth = [](const KnobValue& value) { return std::count(value.path.begin(), value.path.end(), '/'); };
    std::stable_sort(values.begin(), values.end(),
                     [&](const KnobValue& left, const KnobValue& right) { return depth(left) < depth(right); });
    const bool had_any = holds_any();
    in_force_ = std::exchange(collected_, {});
    auto written = knobs_.write(values);
    not_saved_ = written ? "" : written.error().message();
    // What is in force stays so, rather than nothing.
    return had_any ? Result<void>() : written;
}

std::string HeldKnobs::problem() const {
    if (!not_saved_.empty() || !knobs_.left_out().empty())
        return "not all settings that protect the owner's memory are as they should be: " +
               (not_saved_.empty() ? knobs_.left_out() : not_saved_);
    const std::vector<std::string> theirs = knobs_.theirs();
    if (theirs.empty())
        return "";
    std::string text = "somebody else changed settings that protect the owner's memory; tmmd leaves them alone: ";
    for (std::size_t i = 0; i < theirs.size(); ++i)
        text += (i == 0 ? "" : ", ") + root_->name_of(theirs[i]);
    return text;
}

}  // namespace tmm::os
