// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the readers of traces and of lackey's text, from the first byte on.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "fuzz/fuzz.hpp"
#include "tmmd/trace/lackey.hpp"
#include "tmmd/trace/trace_reader.hpp"

namespace {

using namespace tmm;

void read_file(std::string_view text) {
    UniqueFd fd(::memfd_create("trace", MFD_CLOEXEC));
    if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        std::abort();
    ::lseek(fd.get(), 0, SEEK_SET);
    trace::TraceReader reader(std::move(fd), "t", 1);
    trace::Record record;
    std::uint64_t last_t_us = 0;
    for (;;) {
        const auto more = reader.next(record);
        if (!more) {
            TMM_REQUIRE(more.error().message().starts_with("t:"));
            return;
        }
        if (!*more)
            return;
        TMM_REQUIRE(record.t_us >= last_t_us && record.t_us <= trace::max_t_us);
        TMM_REQUIRE(record.weight >= 1 && record.weight <= trace::max_weight);
        last_t_us = record.t_us;
    }
}

void parse_line(std::string_view line) {
    const auto record = trace::parse_record(line);
    if (record) {
        std::string again = trace::format_record(*record);
        again.pop_back();
        const auto same = trace::parse_record(again);
        TMM_REQUIRE(same && *same == *record);
    }
    const auto access = trace::parse_lackey(line);
    if (access && *access)
        TMM_REQUIRE((*access)->last_page >= (*access)->first_page && (*access)->last_page - (*access)->first_page <= 16);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    read_file(text);
    parse_line(text.substr(0, text.find('\n')));
    return 0;
}
