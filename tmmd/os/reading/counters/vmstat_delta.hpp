// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// VmstatDelta: computes the opaque class's increase of counters with the same name in /proc/vmstat (the whole machine) and in
// memory.stat (a cgroup with all below it). Called from one thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/text/proc_text.hpp"
#include "tmmd/os/reading/counters/opaque_delta.hpp"

namespace tmm::os {

template <std::size_t N>
class VmstatDelta {
public:
    using Counters = typename OpaqueDelta<N>::Counters;
    using Changes = typename OpaqueDelta<N>::Changes;

    // names: of the counters. root and the names' texts must outlive it.
    VmstatDelta(const RootDir& root, const std::array<std::string_view, N>& names) : root_(root), names_(names) {}

    // Returns opaque counts since the last call; zeros at the first. transparent_cgroups: paths below the root directory, none
    // inside another. It leaves out one that vanished or has no memory controller. Error: /proc/vmstat cannot be read or lacks a
    // counter.
    Result<Counters> read_delta(const std::vector<std::string>& transparent_cgroups) {
        const auto changes = read_change(transparent_cgroups);
        if (!changes)
            return changes.error();
        return OpaqueDelta<N>::at_least_zero(*changes);
    }

    // The same, but below zero where the cgroups counted more than the machine: as of OpaqueDelta::read_change.
    Result<Changes> read_change(const std::vector<std::string>& transparent_cgroups) {
        const auto machine = read("proc/vmstat");
        if (!machine)
            return machine.error();
        return delta_.read_change(*machine, transparent_cgroups, [&](const std::string& cgroup) -> std::optional<Counters> {
            const auto counters = read(cgroup + "/memory.stat");
            return counters ? std::optional(*counters) : std::nullopt;
        });
    }

private:
    Result<Counters> read(const std::string& file) const {
        const auto text = root_.read_file(file);
        if (!text)
            return text.error();
        Counters counters{};
        for (std::size_t i = 0; i < N; ++i) {
            auto value = parse_stat(*text, names_[i]);
            if (!value)
                return std::move(value).error().with_context(root_.name_of(file));
            counters[i] = *value;
        }
        return counters;
    }

    const RootDir& root_;
    std::array<std::string_view, N> names_;
    OpaqueDelta<N> delta_;
};

}  // namespace tmm::os
