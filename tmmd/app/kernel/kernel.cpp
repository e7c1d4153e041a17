// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/kernel/kernel.hpp"

#include <cerrno>
#include <utility>

namespace tmm::app {

Result<bool> Kernel::open(const config::Config& config) {
    if (adapters_)
        return false;
    auto opened = factory_.open(config);
    if (!opened)
        return std::move(opened).error();
    adapters_ = *std::move(opened);
    return true;
}

// Closing the source closes /dev/tmm: the kernel keeps its safe defaults until all works again. Without the patches, the sink
// restores the settings of cgroups.
void Kernel::close() {
    adapters_.reset();
    in_force_.reset();
}

void Kernel::fail(const Error& error) {
    close();
    is_missing_ = error.code() == ENODEV;
    problem_.error(error.message(), "; no limit is in force until this works again");
}

Result<void> Kernel::apply(const core::Wanted& wanted, const std::vector<std::string>& transparent_cgroups) {
    lost_source_.warn(source().problem());
    if (dry_run_)
        return {};
    if (wanted.scanned)
        source().keep(wanted.scanned->kept, wanted.scanned->attended);
    auto applied = sink().apply(wanted, transparent_cgroups);
    if (applied)
        in_force_ = os::limits_of(wanted.given);
    partly_.warn(sink().problem());
    return applied;
}

}  // namespace tmm::app
