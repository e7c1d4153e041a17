// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Saves and restores the learned state of Policy as text: lines "name: number number ...". The caller protects the text against
// damage.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "base/units.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace tmm::core {

namespace {

constexpr std::array<std::string_view, nr_backings> backing_names{"anonymous", "file"};
constexpr std::array<std::string_view, nr_stores> store_names{"swap-disk", "swap-zram", "file"};

constexpr std::array<std::string_view, nr_uses> use_names{"once", "again", "away-once", "away-again"};

// Only a state of this version is read.
constexpr double version = 5;

// Exceeds any machine's histogram. It bounds the memory that a damaged file can ask for.
constexpr std::size_t max_buckets = 1 << 16;

using Lines = std::map<std::string, std::vector<double>, std::less<>>;

// Names the line of a kind of page.
std::string kind_name(std::string_view what, std::size_t kind) {
    return std::string(what) + ' ' + std::string(backing_names[kind % nr_backings]) + ' ' +
           std::string(use_names[kind / nr_backings]);
}

// Appends a line, without the zeros at its end.
void append_line(std::string& text, std::string_view name, const std::vector<double>& values) {
    std::size_t used = values.size();
    while (used > 0 && values[used - 1] == 0)
        --used;
    text += name;
    text += ':';
    for (std::size_t i = 0; i < used; ++i) {
        std::array<char, 32> digits{};
        // Writes the shortest form that is read back as the same number.
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), values[i]);
        text += ' ';
        text.append(digits.data(), end.ptr);
    }
    text += '\n';
}

void append_histogram(std::string& text, const std::string& name, const BackedHistogram& histogram) {
    for (std::size_t backing = 0; backing < nr_backings; ++backing)
        append_line(text, name + " " + std::string(backing_names[backing]),
                    histogram.of(static_cast<Backing>(backing)).buckets());
}

Error bad_line(std::size_t number, const std::string& what) {
    return {EINVAL, "line " + std::to_string(number) + ": " + what};
}

Result<Lines> parse_lines(std::string_view text) {
    Lines lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos)
            return bad_line(number, "no end of line");
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0)
            return bad_line(number, "no name and colon");
        std::vector<double> values;
        for (std::string_view rest = line.substr(colon + 1); !rest.empty();) {
            const auto next = rest.find(' ', 1);
            const auto value = parse_double(rest.substr(1, next - 1));
            if (rest.front() != ' ' || !value || *value < 0)
                return bad_line(number, "'" + std::string(trim(rest.substr(0, next))) + "' is not a number from 0 on");
            if (values.size() > max_buckets)
                return bad_line(number, "too many numbers");
            values.push_back(*value);
            rest.remove_prefix(next == std::string_view::npos ? rest.size() : next);
        }
        if (!lines.emplace(std::string(line.substr(0, colon)), std::move(values)).second)
            return bad_line(number, "'" + std::string(line.substr(0, colon)) + "' appears twice");
    }
    return lines;
}

// Takes a line's numbers, completed with zeros. Error: there is no such line, or it has more numbers than wanted.
Result<std::vector<double>> take(Lines& lines, const std::string& name, std::size_t wanted) {
    auto line = lines.extract(name);
    if (line.empty())
        return Error(EINVAL, "no line '" + name + "'");
    if (line.mapped().size() > wanted)
        return Error(EINVAL, "'" + name + "' has more than " + std::to_string(wanted) + " numbers");
    line.mapped().resize(wanted, 0);
    return std::move(line.mapped());
}

Result<BackedHistogram> take_histogram(Lines& lines, const std::string& name, Pages bucket_pages, std::size_t nr_buckets) {
    BackedHistogram histogram(bucket_pages, nr_buckets);
    for (std::size_t backing = 0; backing < nr_backings; ++backing) {
        const auto buckets = take(lines, name + " " + std::string(backing_names[backing]), nr_buckets + 1);
        if (!buckets)
            return buckets.error();
        histogram.of(static_cast<Backing>(backing)).set_buckets(*buckets);
    }
    return histogram;
}

Result<void> take_version(Lines& lines) {
    const auto saved = take(lines, "version", 1);
    if (!saved)
        return saved.error();
    if ((*saved)[0] != version)
        return Error(EINVAL, "'version' is of another tmmd");
    return {};
}

Result<void> take_reuse(Lines& lines, ReuseTable& reuse) {
    const auto time = take(lines, "reuse", 2);
    if (!time)
        return time.error();
    ReuseTable::ByKind uses{};
    ReuseTable::ByKind exposure{};
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        for (const auto& [what, table] : {std::pair{"uses", &uses}, std::pair{"exposure", &exposure}}) {
            const auto values = take(lines, kind_name(what, kind), ReuseTable::nr_ages);
            if (!values)
                return values.error();
            std::copy(values->begin(), values->end(), (*table)[kind].begin());
        }
    }
    reuse.restore({Seconds((*time)[0]), Seconds((*time)[1])}, uses, exposure);
    return {};
}

}  // namespace

std::string Policy::save_state() const {
    const AgedHistogram& histogram = paper_.histogram();
    const ReuseTable& reuse = reuse_.table();
    const LruHistogram& shape = histogram.shares().of(Backing::anonymous);
    std::string text;
    append_line(text, "version", {version});
    append_line(text, "buckets", {static_cast<double>(shape.nr_buckets()), shape.bucket_pages().as_double()});
    append_line(text, "learned", {histogram.accesses_per_s(), histogram.active_share()});
    append_histogram(text, "accesses", histogram.shares());
    append_line(text, "reuse", {reuse.time().attended.count(), reuse.time().any.count()});
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        const ReuseTable::ByAge& uses = reuse.uses()[kind];
        const ReuseTable::ByAge& exposure = reuse.exposure()[kind];
        append_line(text, kind_name("uses", kind), {uses.begin(), uses.end()});
        append_line(text, kind_name("exposure", kind), {exposure.begin(), exposure.end()});
    }
    for (std::size_t store = 0; store < nr_stores; ++store) {
        const LatencyEstimate& latency = latency_.of(static_cast<Store>(store));
        append_line(text, "latency " + std::string(store_names[store]),
                    {latency.reads(), latency.reads() * latency.usual().count()});
    }
    return text;
}

Result<void> Policy::restore_state(std::string_view text) {
    auto lines = parse_lines(text);
    if (!lines)
        return std::move(lines).error();
    if (auto taken = take_version(*lines); !taken)
        return taken;
    const auto shape = take(*lines, "buckets", 2);
    if (!shape)
        return shape.error();
    const double widest = std::ldexp(1.0, 52);  // pages; above it a double no longer holds each whole number
    if ((*shape)[0] < 1 || (*shape)[0] > max_buckets || (*shape)[1] < 1 || (*shape)[1] > widest)
        return Error(EINVAL, "'buckets' makes no sense");
    const auto saved_buckets = static_cast<std::size_t>((*shape)[0]);
    const Pages saved_pages(static_cast<std::uint64_t>((*shape)[1]));
    const auto learned = take(*lines, "learned", 2);
    if (!learned)
        return learned.error();

    const LruHistogram& ours = paper_.histogram().shares().of(Backing::anonymous);
    auto accesses = take_histogram(*lines, "accesses", saved_pages, saved_buckets);
    if (!accesses)
        return accesses.error();
    if (saved_pages != ours.bucket_pages() || saved_buckets != ours.nr_buckets())
        accesses = accesses->rebucketed(ours.bucket_pages(), ours.nr_buckets());
    ReuseTable reuse;
    if (auto taken = take_reuse(*lines, reuse); !taken)
        return taken;
    std::array<StoreReads, nr_stores> latencies{};
    for (std::size_t store = 0; store < nr_stores; ++store) {
        const auto reads = take(*lines, "latency " + std::string(store_names[store]), 2);
        if (!reads)
            return reads.error();
        latencies[store] = {(*reads)[0], Seconds((*reads)[1])};
    }
    if (!lines->empty())
        return Error(EINVAL, "'" + lines->begin()->first + "' is not known");

    reuse_.restore(reuse);
    paper_.restore(*accesses, (*learned)[0], (*learned)[1]);
    latency_ = MissLatency();
    for (std::size_t store = 0; store < nr_stores; ++store) {
        const StoreReads& saved = latencies[store];
        latency_.of(static_cast<Store>(store)).restore(saved.reads, saved.time / saved.reads);
    }
    return {};
}

}  // namespace tmm::core
