// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/override.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "boinc-adapter/rpc/tags.hpp"

namespace tmm::boinc {

namespace {

constexpr std::string_view root_name = "global_preferences";
constexpr std::string_view root_end = "/global_preferences";

struct Entry {
    std::string_view name;
    int digits;  // behind the point: as many as the client writes
    double (*value)(const Preferences&);
};

double written_percent(double percent) {
    return std::clamp(percent, Preferences::min_percent, 100.0);
}

constexpr std::array<Entry, 3> entries{{
    {"ram_max_used_busy_pct", 6, [](const Preferences& ours) { return written_percent(ours.busy_percent); }},
    {"ram_max_used_idle_pct", 6, [](const Preferences& ours) { return written_percent(ours.idle_percent); }},
    {"leave_apps_in_memory", 0, [](const Preferences& ours) { return ours.leave_in_memory ? 1.0 : 0.0; }},
}};

// Returns the index of TMM's entry of a name, or entries.size().
std::size_t entry_of(std::string_view name) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
    return static_cast<std::size_t>(found - entries.begin());
}

// The client's other preferences of the kind yes or no. Unlike a number, an empty one makes it skip what follows.
bool is_flag(std::string_view name) {
    constexpr std::array<std::string_view, 9> flags{
        "run_on_batteries", "run_if_user_active", "run_gpu_if_user_active", "leave_apps_in_memory", "confirm_before_connecting",
        "hangup_if_dialed", "dont_verify_images", "host_specific",          "network_wifi_only"};
    return std::find(flags.begin(), flags.end(), name) != flags.end();
}

std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    errno = 0;
    const double number = std::strtod(text.c_str(), &end);
    return errno == 0 && end == text.c_str() + text.size() && !std::isnan(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> flag_of(const std::string& text) {
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 0);
    return end == text.c_str() + text.size() ? std::optional(number != 0 ? 1.0 : 0.0) : std::nullopt;
}

// One preference as the client found it.
struct Found {
    std::optional<double> value;
    std::string text;  // of the element; empty: BOINC's default came into force
};

// Walks through a text as the client does (its lib/prefs.cpp).
class ClientReader {
public:
    explicit ClientReader(std::string_view text) : tags_(text) {}

    std::array<Found, entries.size()> read() {
        while (tags_.next_tag() && tags_.name() != root_end && !is_venue_over_) {
            if (tags_.name() != root_name && !takes_venue())
                read_element(tags_.name());
        }
        return found_;
    }

private:
    // Returns whether the tag is no preference.
    bool takes_venue() {
        if (is_in_venue_) {
            const bool is_end = tags_.name() == "/venue";
            is_venue_over_ = is_end && is_own_venue_;
            is_in_venue_ = !is_end;
            return is_end || !is_own_venue_;
        }
        if (tags_.name().find("venue") == std::string::npos)
            return false;
        is_in_venue_ = true;
        is_own_venue_ = venue_name().empty();
        if (is_own_venue_)
            found_ = {{{50, {}}, {90, {}}, {0, {}}}};
        return true;
    }

    [[nodiscard]] std::string venue_name() const {
        const std::string& text = tags_.attributes();
        const auto start = text.find("name");
        const auto open = start == std::string::npos ? start : text.find('"', start);
        const auto close = open == std::string::npos ? open : text.find('"', open + 1);
        return close == std::string::npos ? std::string() : text.substr(open + 1, close - open - 1);
    }

    void read_element(const std::string& tag) {
        const bool is_empty = tag.ends_with('/');
        const std::string name = is_empty ? tag.substr(0, tag.size() - 1) : tag;
        if (is_empty && is_flag(name)) {
            keep(name, 1, "1");
            return;
        }
        if (tag.find('/') != std::string::npos)
            return;
        if (!takes_value(name))
            skip(name);
    }

    // Returns whether the element has a value, which it keeps, and its end.
    bool takes_value(const std::string& name) {
        const std::size_t entry = entry_of(name);
        if (entry == entries.size() && !is_flag(name))
            return false;
        const Tags::Kind kind = tags_.next();
        if (kind == Tags::Kind::tag && !is_flag(name) && tags_.name() == "/" + name) {
            keep(name, 0, "0");
            return true;
        }
        if (kind != Tags::Kind::data)
            return false;
        const std::string text(tags_.data());
        const auto value = is_flag(name) ? flag_of(text) : number_of(text);
        if (!value || tags_.next() != Tags::Kind::tag || tags_.name() != "/" + name)
            return false;
        keep(name, *value, text);
        return true;
    }

    void keep(const std::string& name, double value, const std::string& text) {
        if (const std::size_t entry = entry_of(name); entry != entries.size())
            found_.at(entry) = {value, text};
    }

    // Goes behind the end of the element and of those in it: without their ends, behind all.
    void skip(const std::string& name) {
        std::vector<std::string> ends{"/" + name};
        while (!ends.empty() && tags_.next_tag()) {
            if (tags_.name() == ends.back())
                ends.pop_back();
            else if (tags_.name().find('/') == std::string::npos)
                ends.push_back("/" + tags_.name());
        }
    }

    Tags tags_;
    std::array<Found, entries.size()> found_;
    bool is_in_venue_ = false;
    bool is_own_venue_ = false;
    bool is_venue_over_ = false;
};

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct Child {
    std::size_t entry;
    Span span;
    std::string_view text;
    bool has_only_text = true;
};

// The parts of an override that TMM touches.
struct Parts {
    std::vector<Span> declarations;
    std::vector<Child> ours;  // elements of TMM's three names directly in the root
    Span root_end;            // its end tag; of an empty root, all of it
    bool has_root = false;
    bool is_empty_root = false;
};

// Checks that a text is XML as far as its elements go: an editor may have written half of it.
class PartsFinder {
public:
    explicit PartsFinder(std::string_view text) : tags_(text) {}

    Result<Parts> find() {
        for (Tags::Kind kind = tags_.next(); kind != Tags::Kind::end; kind = tags_.next()) {
            if (kind == Tags::Kind::data ? !takes_data() : !takes_tag())
                return Error(EPROTO, "the override of preferences is no XML");
            if (open_.size() > max_depth)
                return Error(EFBIG, "the override of preferences has more than " + std::to_string(max_depth) + " levels");
        }
        if (!open_.empty() || tags_.is_cut_off())
            return Error(EPROTO, "the override of preferences is no whole XML");
        if (!parts_.has_root)
            return Error(EPROTO, "the override of preferences has no <global_preferences>");
        return parts_;
    }

private:
    static constexpr std::size_t max_depth = 32;

    bool takes_data() {
        if (open_.empty())
            return false;
        if (open_.size() == 2 && !parts_.ours.empty() && parts_.ours.back().span.end == 0)
            parts_.ours.back().text = tags_.data();
        return true;
    }

    bool takes_tag() {
        const Span span{tags_.begin(), tags_.end()};
        const std::string& tag = tags_.name();
        // The client does not mind, but then the start of another text stands here.
        if ((tag + tags_.attributes()).find('<') != std::string::npos)
            return false;
        if (tag.starts_with('?') || tag.starts_with('!')) {
            parts_.declarations.push_back(span);
            return true;
        }
        if (tag.starts_with('/'))
            return takes_end(tag.substr(1), span);
        const bool is_empty = tag.ends_with('/');
        const std::string name = tag.substr(0, tag.find('/'));
        if (open_.empty() && (parts_.has_root || name != root_name))
            return false;
        const bool is_root = open_.empty();
        parts_.has_root = true;
        if (open_.size() == 1 && entry_of(name) != entries.size())
            parts_.ours.push_back({entry_of(name), {span.begin, is_empty ? span.end : 0}, {}});
        else if (open_.size() == 2 && !parts_.ours.empty() && parts_.ours.back().span.end == 0)
            parts_.ours.back().has_only_text = false;
        if (!is_empty)
            open_.push_back(name);
        else if (is_root)
            parts_.root_end = span;
        parts_.is_empty_root = parts_.is_empty_root || (is_root && is_empty);
        return true;
    }

    bool takes_end(const std::string& name, Span span) {
        if (open_.empty() || open_.back() != name)
            return false;
        open_.pop_back();
        if (open_.empty())
            parts_.root_end = span;
        else if (open_.size() == 1 && !parts_.ours.empty() && parts_.ours.back().span.end == 0)
            parts_.ours.back().span.end = span.end;
        return true;
    }

    Tags tags_;
    std::vector<std::string> open_;
    Parts parts_;
};

// An empty file is an override without values, as the client takes it.
Result<Parts> parts_of(std::string_view text) {
    return trim(text).empty() ? Result<Parts>(Parts()) : PartsFinder(text).find();
}

// Takes spans out of a text, each with the blanks before it on its line and the end of a line that is empty then.
class Cutter {
public:
    explicit Cutter(std::string_view text) : text_(text) {}

    void cut(Span span) {
        std::string_view kept = text_.substr(done_, span.begin - done_);
        const std::string_view shorter = kept.substr(0, kept.find_last_not_of(" \t") + 1);
        const bool is_line = (shorter.empty() ? done_ == 0 || text_[done_ - 1] == '\n' : shorter.ends_with('\n')) &&
                             text_.substr(span.end).starts_with('\n');
        out_ += is_line ? shorter : kept;
        done_ = span.end + (is_line ? 1 : 0);
    }
    void replace(Span span, std::string_view by) {
        keep_to(span.begin);
        out_ += by;
        done_ = span.end;
    }
    void keep_to(std::size_t end) {
        out_ += text_.substr(done_, end - done_);
        done_ = end;
    }
    std::string& out() { return out_; }
    std::string finish() {
        keep_to(text_.size());
        return std::move(out_);
    }

private:
    std::string_view text_;
    std::size_t done_ = 0;
    std::string out_;
};

std::string element(std::string_view name, std::string_view value) {
    return "<" + std::string(name) + ">" + std::string(value) + "</" + std::string(name) + ">";
}

std::string lines_of(const Preferences& ours) {
    std::string lines;
    for (const Entry& entry : entries)
        lines += "    " + element(entry.name, format_fixed(entry.value(ours), entry.digits)) + "\n";
    return lines;
}

bool is_same_number(std::string_view text, double number) {
    // The manager shows two digits behind the point, and writes what it shows.
    constexpr double tolerance = 0.0051;
    const auto parsed = parse_double(text);
    return parsed && std::abs(*parsed - number) < tolerance;
}

std::string merged_text(std::string_view users, const Parts& parts, const Preferences& ours) {
    const std::string lines = lines_of(ours);
    if (!parts.has_root)
        return "<global_preferences>\n" + lines + "</global_preferences>\n";
    // Those behind the root's end are only declarations.
    std::vector<Span> cuts = parts.declarations;
    for (const Child& child : parts.ours)
        cuts.push_back(child.span);
    std::sort(cuts.begin(), cuts.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    Cutter cutter(users);
    bool is_inserted = false;
    const auto insert = [&] {
        cutter.keep_to(parts.root_end.begin);
        if (parts.is_empty_root)
            cutter.replace(parts.root_end, "<global_preferences>\n" + lines + "</global_preferences>");
        else
            cutter.out() += (cutter.out().ends_with('\n') ? "" : "\n") + lines;
        is_inserted = true;
    };
    for (const Span& cut : cuts) {
        if (!is_inserted && cut.begin > parts.root_end.begin)
            insert();
        cutter.cut(cut);
    }
    if (!is_inserted)
        insert();
    return cutter.finish();
}

}  // namespace

KnownPreferences preferences_of(const OverrideText& text, const Preferences& others) {
    const auto found = ClientReader(text ? std::string_view(*text) : std::string_view()).read();
    const auto percent = [](const Found& one, double otherwise) {
        return one.value ? (*one.value == 0 ? 100 : written_percent(*one.value)) : otherwise;
    };
    KnownPreferences known;
    known.preferences = {percent(found[0], others.busy_percent), percent(found[1], others.idle_percent),
                         found[2].value ? *found[2].value != 0 : others.leave_in_memory};
    known.is_complete = found[0].value && found[1].value && found[2].value;
    return known;
}

Result<std::string> merge_override(const OverrideText& users, const Preferences& ours) {
    const std::string_view text = users ? std::string_view(*users) : std::string_view();
    const auto parts = parts_of(text);
    if (!parts)
        return parts.error();
    std::string merged = merged_text(text, *parts, ours);
    const auto read = ClientReader(merged).read();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (read.at(i).text != format_fixed(entries.at(i).value(ours), entries.at(i).digits))
            return Error(EINVAL, "BOINC would skip what stands behind an element of the override of preferences");
    }
    return merged;
}

Result<OverrideText> adopt_override(const OverrideText& changed, std::span<const Preferences> pushed, const OverrideText& users) {
    // The user removed the file: there is nothing of TMM in it.
    if (!changed)
        return OverrideText();
    const auto now = parts_of(*changed);
    if (!now)
        return now.error();
    const auto before = ClientReader(users ? std::string_view(*users) : std::string_view()).read();
    Cutter cutter(*changed);
    for (const Child& child : now->ours) {
        const Entry& entry = entries.at(child.entry);
        const auto is_there = [&](const Preferences& ours) { return is_same_number(child.text, entry.value(ours)); };
        // Only a lone text is TMM's.
        if (!child.has_only_text || std::none_of(pushed.begin(), pushed.end(), is_there))
            continue;
        if (const std::string& old = before.at(child.entry).text; !old.empty())
            cutter.replace(child.span, element(entry.name, old));
        else
            cutter.cut(child.span);
    }
    return OverrideText(cutter.finish());
}

}  // namespace tmm::boinc
