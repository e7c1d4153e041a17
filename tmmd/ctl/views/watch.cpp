// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/watch.hpp"

#include <array>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "tmmd/ctl/text/when.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {

namespace {

std::string of_limit(std::uint64_t bytes, std::uint64_t limit) {
    return format_bytes(bytes) + (limit == wire::no_limit ? "" : " of " + format_bytes(limit));
}

std::string status_line(const wire::Status& status, std::uint64_t now_us, const Screen& screen) {
    const auto now = static_cast<std::time_t>(now_us / 1'000'000);
    return coloured(screen, colour_of_state(status.state), printable(state_sentence(status, now))) + ": opaque " +
           of_limit(status.opaque_bytes, status.opaque_limit_bytes) + ", given " +
           of_limit(status.transparent_bytes, status.transparent_limit_bytes) + ", free " + format_bytes(status.free_bytes) +
           ": " + printable(status.reason);
}

std::string text_of(const Event& event, const wire::Status& status, std::uint64_t now_us, const Screen& screen) {
    switch (event.kind) {
        case Event::Kind::notice:
            return coloured(screen, Colour::yellow, "notice") + " (" + printable(event.subject) + "): " + printable(event.text);
        case Event::Kind::contribution_added:
            return "contribution " + printable(event.text.empty() ? event.subject : event.text) + " has started";
        case Event::Kind::contribution_removed:
            return "contribution " + printable(event.text.empty() ? event.subject : event.text) + " has ended";
        case Event::Kind::daemon_gone:
            return coloured(screen, Colour::red, "tmmd is gone") + ": no limit is in force until it is back";
        case Event::Kind::daemon_back:
        case Event::Kind::changed:
            break;
    }
    const std::string start = event.kind == Event::Kind::daemon_back ? "tmmd is back, " : "";
    return start + status_line(status, now_us, screen);
}

}  // namespace

std::string format_event(const Event& event, const wire::Status& status, std::uint64_t now_us, const Screen& screen) {
    return format_clock(now_us) + "  " + text_of(event, status, now_us, screen) + "\n";
}

std::string event_json(const Event& event, const wire::Status& status, std::uint64_t now_us) {
    constexpr std::array<std::string_view, 6> words{"changed",     "notice",     "contribution-added", "contribution-removed",
                                                    "daemon-gone", "daemon-back"};
    JsonObject object;
    object.count("time_unix_us", now_us).text("event", words.at(static_cast<std::size_t>(event.kind)));
    switch (event.kind) {
        case Event::Kind::notice:
            object.text("kind", event.subject).text("text", event.text);
            break;
        case Event::Kind::contribution_added:
        case Event::Kind::contribution_removed:
            object.text("object", event.subject);
            event.text.empty() ? object.null("name") : object.text("name", event.text);
            break;
        case Event::Kind::daemon_gone:
            break;
        case Event::Kind::daemon_back:
        case Event::Kind::changed:
            object.add("status", status_json(status).str());
            break;
    }
    return object.str() + "\n";
}

}  // namespace tmm::ctl
