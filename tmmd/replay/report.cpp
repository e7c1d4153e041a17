// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/text/json.hpp"
#include "base/units.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::replay {

namespace {

// For sentences. A trace counts in pages and does not tell their size.
constexpr Bytes page_bytes{4096};

// Whole numbers without a point.
std::string number(double value) {
    const bool whole = std::floor(value) == value;
    return format_fixed(value, whole ? 0 : 3);
}

std::string seconds_of(std::uint64_t t_us) {
    return number(static_cast<double>(t_us) / 1e6);
}

struct Figure {
    std::string name;
    std::string value;
};

// Lists the single numbers, in the order of the man page.
std::vector<Figure> figures_of(const Outcome& outcome, const Parameters& parameters) {
    const bool exact = outcome.exact_curve.has_value();
    const std::string none = "null";
    return {
        {"records", std::to_string(outcome.records)},
        {"references", std::to_string(outcome.references)},
        {"pages", std::to_string(outcome.pages.count())},
        {"epoch_s", seconds_of(parameters.epoch_us)},
        {"epochs", std::to_string(outcome.epochs)},
        {"sample_shift", std::to_string(parameters.sample_shift)},
        {"memory_pages", std::to_string(parameters.memory.count())},
        {"footprint_pages", std::to_string(outcome.footprint.count())},
        {"active_s", number(outcome.active_s)},
        {"need_pages", std::to_string(outcome.need.count())},
        {"exact_need_pages", exact ? std::to_string(outcome.exact_need.count()) : none},
        {"mean_abs_error", exact ? format_fixed(outcome.error.mean, 6) : none},
        {"max_abs_error", exact ? format_fixed(outcome.error.largest, 6) : none},
        {"misses_at_limit", std::to_string(outcome.misses_at_limit)},
        {"misses_all_memory", std::to_string(outcome.misses_all_memory)},
        {"achieved_beta", format_fixed(outcome.achieved_beta, 6)},
    };
}

// Calls visit(size, misses) for sizes from 0 to the first that holds all pages.
void for_each_point(const MissCurve& curve, core::Pages pages, const std::function<void(core::Pages, double)>& visit) {
    for (core::Pages size(0);; size += curve.step()) {
        visit(size, curve.misses(size));
        if (size >= pages)
            return;
    }
}

std::string json_curve(const MissCurve& curve, core::Pages pages) {
    std::string json = "[";
    for_each_point(curve, pages, [&](core::Pages size, double misses) {
        json += (size == core::Pages(0) ? "[" : ", [") + std::to_string(size.count()) + ", " + number(misses) + "]";
    });
    return json + "]";
}

std::string format_json(const Outcome& outcome, const Parameters& parameters) {
    std::string json = "{";
    for (const Figure& figure : figures_of(outcome, parameters))
        json += json_string(figure.name) + ": " + figure.value + ",\n ";
    json += "\"curve\": " + json_curve(outcome.curve, outcome.pages) + ",\n ";
    json += "\"exact\": " + (outcome.exact_curve ? json_curve(*outcome.exact_curve, outcome.pages) : "null") + ",\n ";
    json += "\"limits\": [";
    for (std::size_t i = 0; i < outcome.limits.size(); ++i) {
        const LimitChange& change = outcome.limits[i];
        json += (i == 0 ? "" : ",\n  ");
        json += "[" + seconds_of(change.t_us) + ", " + std::to_string(change.opaque_pages.count()) + ", " +
                json_string(words::sentence(change.reason, page_bytes)) + "]";
    }
    return json + "]}\n";
}

// One table holds all: plotting programs choose rows by the first column. Reasons hold no quotation mark.
std::string format_csv(const Outcome& outcome, const Parameters& parameters) {
    std::string csv = "series,x,value,reason\n";
    for (const Figure& figure : figures_of(outcome, parameters)) {
        if (figure.value != "null")
            csv += figure.name + ",," + figure.value + ",\n";
    }
    const auto add_curve = [&](const std::string& name, const MissCurve& curve) {
        for_each_point(curve, outcome.pages, [&](core::Pages size, double misses) {
            csv += name + "," + std::to_string(size.count()) + "," + number(misses) + ",\n";
        });
    };
    add_curve("curve", outcome.curve);
    if (outcome.exact_curve)
        add_curve("exact", *outcome.exact_curve);
    for (const LimitChange& change : outcome.limits)
        csv += "limit," + seconds_of(change.t_us) + "," + std::to_string(change.opaque_pages.count()) + ",\"" +
               words::sentence(change.reason, page_bytes) + "\"\n";
    return csv;
}

std::string padded(std::string text, std::size_t width) {
    text.insert(0, width - std::min(width, text.size()), ' ');
    return text;
}

std::string format_text(const Outcome& outcome, const Parameters& parameters) {
    constexpr std::size_t width = 14;
    std::string text;
    for (const Figure& figure : figures_of(outcome, parameters)) {
        if (figure.value != "null")
            text += padded(figure.value, width) + "  " + figure.name + "\n";
    }
    text += "\n" + padded("size (pages)", width) + padded("misses", width) + (outcome.exact_curve ? padded("exact", width) : "") +
            "\n";
    constexpr std::uint64_t nr_rows = 16;
    for (std::uint64_t row = 0; row <= nr_rows; ++row) {
        const core::Pages size = row * outcome.pages / nr_rows;
        text += padded(std::to_string(size.count()), width) + padded(format_fixed(outcome.curve.misses(size), 0), width);
        if (outcome.exact_curve)
            text += padded(format_fixed(outcome.exact_curve->misses(size), 0), width);
        text += "\n";
    }
    text += "\n" + padded("from (s)", width) + padded("opaque pages", width) + "  reason\n";
    for (const LimitChange& change : outcome.limits)
        text += padded(seconds_of(change.t_us), width) + padded(std::to_string(change.opaque_pages.count()), width) + "  " +
                words::sentence(change.reason, page_bytes) + "\n";
    return text;
}

}  // namespace

std::string format_outcome(const Outcome& outcome, const Parameters& parameters, Form form) {
    switch (form) {
        case Form::json:
            return format_json(outcome, parameters);
        case Form::csv:
            return format_csv(outcome, parameters);
        case Form::text:
            break;
    }
    return format_text(outcome, parameters);
}

}  // namespace tmm::replay
