// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/sysfs_limits.hpp"

#include <cerrno>

#include "base/units.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

Result<SysfsLimits> SysfsLimits::open(const RootDir& root) {
    auto dir = root.subdir("sys/kernel/mm/tmm");
    if (!dir) {
        if (dir.error().code() == ENOENT)
            return Error(ENODEV, dir.error().message() + ": the running kernel has no TMM; tmmd(8) says how to get one");
        return std::move(dir).error();
    }
    auto text = dir->read_file("version");
    if (!text)
        return std::move(text).error();
    const auto version = parse_uint(*text);
    if (!version || *version != abi_version) {
        return Error(EPROTO, dir->name_of("version") + " is '" + std::string(trim(*text)) + "', this tmmd knows only version " +
                                 std::to_string(abi_version) + "; install the tmmd that belongs to the kernel");
    }
    return SysfsLimits(*std::move(dir));
}

Result<void> SysfsLimits::write(const Limits& limits) {
    // Between the two writes the kernel has one old and one new limit. In doubt it favours opaque memory, so either order is
    // safe.
    auto written = dir_.write_file("transparent_limit", std::to_string(core::to_bytes(limits.transparent, page_bytes()).count()));
    if (!written)
        return written;
    return dir_.write_file("opaque_limit", std::to_string(core::to_bytes(limits.opaque, page_bytes()).count()));
}

Result<core::MemoryUsage> SysfsLimits::usage() {
    const auto total = read_pages("total");
    if (!total)
        return total.error();
    const auto opaque = read_pages("opaque_usage");
    if (!opaque)
        return opaque.error();
    const auto transparent = read_pages("transparent_usage");
    if (!transparent)
        return transparent.error();
    return core::MemoryUsage{*total, *opaque, *transparent};
}

Result<core::Pages> SysfsLimits::read_pages(std::string_view name) {
    auto text = dir_.read_file(name);
    if (!text)
        return std::move(text).error();
    auto bytes = parse_uint(*text);
    if (!bytes)
        return std::move(bytes).error().with_context(dir_.name_of(name));
    return core::to_pages(Bytes(*bytes), page_bytes());
}

}  // namespace tmm::os
