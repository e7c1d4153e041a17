// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/backing_latency.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <utility>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/reading/counters/counted_time.hpp"

namespace tmm::os {

namespace {

Error at_line(std::size_t number, const std::string& reason) {
    return {EINVAL, "line " + std::to_string(number) + ": " + reason};
}

Result<BlockDevice> parse_device(std::string_view line) {
    BlockDevice device;
    const auto major = parse_uint(next_word(line));
    const auto minor = parse_uint(next_word(line));
    // The kernel's dev_t has 12 bits for the major number and 20 for the minor.
    if (!major || !minor || *major >= 1U << 12 || *minor >= 1U << 20)
        return Error(EINVAL, "does not start with a device number");
    device.major = static_cast<unsigned>(*major);
    device.minor = static_cast<unsigned>(*minor);
    device.name = next_word(line);
    const auto reads = parse_uint(next_word(line));
    next_word(line);  // merged
    next_word(line);  // sectors
    const auto milliseconds = parse_uint(next_word(line));
    if (!reads)
        return Error(EINVAL, "reads completed: " + reads.error().message());
    if (!milliseconds)
        return Error(EINVAL, "time of reads: " + milliseconds.error().message());
    device.counters = {*reads, *milliseconds};
    return device;
}

ReadCounters& operator+=(ReadCounters& sum, const ReadCounters& more) {
    sum.reads += more.reads;
    sum.milliseconds += more.milliseconds;
    return sum;
}

// Bounds the difference to 0: a partition's counters are read before or after its disk's.
ReadCounters less(const ReadCounters& whole, const ReadCounters& part) {
    return {whole.reads - std::min(whole.reads, part.reads),
            whole.milliseconds - std::min(whole.milliseconds, part.milliseconds)};
}

ReadStats stats_of(const ReadCounters& counters) {
    return {counters.reads, counted_time<std::chrono::milliseconds>(counters.milliseconds)};
}

bool is_zram(const BlockDevice& device) {
    return device.name.starts_with("zram");
}

bool has_entries(const RootDir& root, const std::string& path) {
    const int fd = ::openat(root.fd(), path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(::fdopendir(fd), ::closedir);
    if (!dir)
        return false;
    while (const dirent* entry = ::readdir(dir.get()))
        if (entry->d_name[0] != '.')
            return true;
    return false;
}

// Returns a device's directory in sysfs, which writes the / of names like cciss/c0d0 as !.
std::string sysfs_dir(std::string device) {
    std::replace(device.begin(), device.end(), '/', '!');
    return "sys/block/" + device;
}

// Returns whether reads of files end at this device: no partition, no memory, and no device that passes its reads on to others.
bool is_disk(const RootDir& root, const BlockDevice& device) {
    for (const char* const prefix : {"zram", "loop", "ram"})
        if (device.name.starts_with(prefix))
            return false;
    const std::string dir = sysfs_dir(device.name);
    if (!root.exists(dir) || has_entries(root, dir + "/slaves"))
        return false;
    // A hidden device is one of several paths to a disk that has a device of its own (NVMe).
    const auto hidden = root.read_file(dir + "/hidden");
    return !hidden || trim(*hidden) != "1";
}

// Returns whether a disk's counters include the device's reads unchanged: it is that disk, or a partition of it.
bool is_on_disk(const RootDir& root, const BlockDevice& device, const std::vector<const BlockDevice*>& disks) {
    return std::any_of(disks.begin(), disks.end(), [&](const BlockDevice* disk) {
        return disk == &device || root.exists(sysfs_dir(disk->name) + "/" + device.name);
    });
}

const BlockDevice* find_number(const std::vector<BlockDevice>& devices, dev_t number) {
    const auto found = std::find_if(devices.begin(), devices.end(), [&](const BlockDevice& device) {
        return device.major == ::major(number) && device.minor == ::minor(number);
    });
    return found == devices.end() ? nullptr : &*found;
}

// Returns the device of a swap area, or of the area's file system; null if it is unknown.
const BlockDevice* device_of(const RootDir& root, const SwapArea& area, const std::vector<BlockDevice>& devices) {
    constexpr std::string_view dev = "/dev/";
    if (!area.is_file && area.path.starts_with(dev)) {
        const auto found = std::find_if(devices.begin(), devices.end(), [&](const BlockDevice& device) {
            return device.name == std::string_view(area.path).substr(dev.size());
        });
        if (found != devices.end())
            return &*found;
    }
    const auto fd = root.open_file(area.path, O_PATH);
    struct stat status {};
    if (!fd || ::fstat(fd->get(), &status) < 0)
        return nullptr;
    if (area.is_file)
        return find_number(devices, status.st_dev);
    return S_ISBLK(status.st_mode) ? find_number(devices, status.st_rdev) : nullptr;
}

Result<std::vector<BlockDevice>> read_devices(const RootDir& root) {
    const auto text = root.read_file("proc/diskstats");
    if (!text)
        return text.error();
    auto devices = parse_diskstats(*text);
    if (!devices)
        return std::move(devices).error().with_context(root.name_of("proc/diskstats"));
    return devices;
}

}  // namespace

Result<std::vector<BlockDevice>> parse_diskstats(std::string_view text) {
    std::vector<BlockDevice> devices;
    for (std::size_t number = 1; !text.empty(); ++number) {
        auto device = parse_device(next_line(text));
        if (!device)
            return at_line(number, device.error().message());
        devices.push_back(*std::move(device));
    }
    return devices;
}

Result<std::vector<SwapArea>> parse_swaps(std::string_view text) {
    std::string_view header = next_line(text);
    if (next_word(header) != "Filename")
        return at_line(1, "does not start with 'Filename'");
    std::vector<SwapArea> areas;
    for (std::size_t number = 2; !text.empty(); ++number) {
        std::string_view line = next_line(text);
        auto path = unescape_path(next_word(line));
        if (!path)
            return at_line(number, path.error().message());
        const std::string_view type = next_word(line);
        if (type.empty())
            return at_line(number, "no type");
        // LXCFS has "virtual".
        areas.push_back({*std::move(path), type != "partition"});
    }
    return areas;
}

Result<std::vector<SwapArea>> read_swap_areas(const RootDir& root) {
    const auto text = root.read_file("proc/swaps");
    if (!text) {
        if (text.error().code() == ENOENT)
            return std::vector<SwapArea>{};  // a kernel without swap
        return text.error();
    }
    auto areas = parse_swaps(*text);
    if (!areas)
        return std::move(areas).error().with_context(root.name_of("proc/swaps"));
    return areas;
}

ReadCounters counters_since(const ReadCounters& now, const ReadCounters& before) {
    if (now.reads < before.reads)
        return now;
    ReadCounters since{now.reads - before.reads, now.milliseconds - before.milliseconds};
    if (now.milliseconds < before.milliseconds) {
        // A 32-bit overflow lowers the counter by much. Another device under the same name that served more reads lowers it by
        // less.
        constexpr std::uint64_t overflow = std::uint64_t{1} << 32;
        const std::uint64_t fall = before.milliseconds - now.milliseconds;
        if (fall <= overflow / 2 || fall > overflow)
            return now;
        since.milliseconds += overflow;
    }
    return since;
}

Result<BackingReads> BackingLatency::read_delta() {
    const auto devices = read_devices(root_);
    if (!devices)
        return devices.error();
    const auto areas = read_swap_areas(root_);
    if (!areas)
        return areas.error();

    std::map<std::string, ReadCounters> counters;
    std::map<std::string, ReadCounters> since;
    ReadCounters file;
    std::vector<const BlockDevice*> disks;
    for (const BlockDevice& device : *devices) {
        const auto known = counters_.find(device.name);
        const ReadCounters before = known == counters_.end() ? ReadCounters{} : known->second;
        counters.emplace(device.name, device.counters);
        since.emplace(device.name, counters_since(device.counters, before));
        if (is_disk(root_, device)) {
            disks.push_back(&device);
            file += since.at(device.name);
        }
    }

    ReadCounters anonymous_disk;
    ReadCounters anonymous_zram;
    bool stands_on_all_disks = false;
    std::set<const BlockDevice*> counted;  // several swap files may be on one device
    for (const SwapArea& area : *areas) {
        const BlockDevice* device = device_of(root_, area, *devices);
        if (!device)
            stands_on_all_disks = stands_on_all_disks || area.is_file;
        else if (counted.insert(device).second) {
            const ReadCounters& reads = since.at(device->name);
            (is_zram(*device) ? anonymous_zram : anonymous_disk) += reads;
            if (!area.is_file && is_on_disk(root_, *device, disks))
                file = less(file, reads);
        }
    }
    if (stands_on_all_disks)
        anonymous_disk += file;

    counters_ = std::move(counters);
    if (!std::exchange(started_, true))
        return BackingReads{};
    return BackingReads{stats_of(anonymous_disk), stats_of(anonymous_zram), stats_of(file)};
}

}  // namespace tmm::os
