// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>

namespace soft::files {

/// Identifies a file. Another file may have the number later; its times differ then.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileId&) const = default;
};

/// A hash that spreads well in all of its bits.
inline std::size_t hash_of(const FileId& id) noexcept {
    std::uint64_t mixed = (id.inode + id.device * 0x9e37'79b9'7f4a'7c15U) * 0xbf58'476d'1ce4'e5b9U;
    mixed ^= mixed >> 32;
    return static_cast<std::size_t>(mixed * 0x94d0'49bb'1331'11ebU);
}

/// Changes whenever the content does.
struct FileVersion {
    std::uint64_t size_bytes = 0;
    std::int64_t modified_s = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_s = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const FileVersion&) const = default;
};

struct FileState {
    FileId id;
    FileVersion version;
    bool operator==(const FileState&) const = default;
};

inline FileState state_of(const struct stat& status) noexcept {
    return {{status.st_dev, status.st_ino},
            {static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
             status.st_ctim.tv_nsec}};
}

/// The time in seconds that a file must be unchanged before any of it is kept. The kernel sets the times when a write begins,
/// from a clock that stands still for some milliseconds. So a younger file may be written once more at the same time, or the
/// write that set its times may still be going on. A minute is more than a write takes even on a slow disk.
inline constexpr std::int64_t settling_s = 60;

/// Whether the file's times will show any later write. Uses the time of the last change of the inode, which no program can set,
/// unlike that of the content. A file from the future (the clock was set back) is not settled.
inline bool is_settled(const FileVersion& version, std::int64_t now_s) noexcept {
    return version.changed_s < now_s - settling_s;
}

/// Whether files of a file system, by statfs's f_type, change on this machine only and show it in their times at once.
inline bool is_local_file_system(std::uint64_t type) noexcept {
    switch (type) {
        case 0xef53:      // ext2, ext3, ext4
        case 0x58465342:  // xfs
        case 0x9123683e:  // btrfs
        case 0x01021994:  // tmpfs
        case 0x794c7630:  // overlay
        case 0xf2f52010:  // f2fs
            return true;
        default:
            return false;
    }
}

}  // namespace soft::files
