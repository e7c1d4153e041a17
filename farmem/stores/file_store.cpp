// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/file_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

namespace tmm::far {

namespace {

off_t offset_of(FileSpace::Place place) {
    return static_cast<off_t>(place * sealed_bytes);
}

bool write_all(int file, const char* data, std::size_t bytes, off_t offset) {
    while (bytes > 0) {
        const ssize_t written = ::pwrite(file, data, bytes, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        bytes -= static_cast<std::size_t>(written);
        offset += written;
    }
    return true;
}

}  // namespace

Result<std::unique_ptr<FileStore>> FileStore::make(const std::string& folder, std::uint64_t max_records) {
    UniqueFd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!file)
        return Error::from_errno(errno, folder);
    return std::unique_ptr<FileStore>(new FileStore(std::move(file), max_records));
}

FileStore::FileStore(UniqueFd file, std::uint64_t max_records) : file_(std::move(file)), space_(max_records) {}

void FileStore::get(std::span<Get> gets) {
    SealedPage sealed;
    for (Get& one : gets) {
        const std::lock_guard guard(lock_);
        const auto place = space_.find(one.entry);
        one.is_found = place && ::pread(file_.get(), sealed.data(), sealed.size(), offset_of(*place)) == ssize_t{sealed_bytes} &&
                       reader_.open(one.entry, one.version, sealed, one.page);
    }
}

void FileStore::put(std::span<Put> puts) {
    std::vector<SealedPage> sealed(puts.size());
    for (std::size_t i = 0; i < puts.size(); ++i)
        writer_.close(puts[i].entry, puts[i].version, puts[i].page, sealed[i]);
    const std::lock_guard guard(lock_);
    // Places of one segment follow each other: one write.
    for (std::size_t at = 0; at < puts.size();) {
        const auto places = space_.reserve(puts.size() - at);
        if (!places)
            break;
        const bool is_written = write_all(file_.get(), sealed[at].data(), places->count * sealed_bytes, offset_of(places->first));
        for (std::uint64_t i = 0; i < places->count; ++i, ++at) {
            puts[at].is_stored = is_written;
            if (is_written)
                space_.commit(puts[at].entry, places->first + i);
        }
    }
    compact();
}

// A record is the same wherever it lies. With lock_.
void FileStore::compact() {
    SealedPage sealed;
    for (const EntryId entry : space_.to_clear()) {
        const auto from = space_.find(entry);
        const auto to = space_.reserve(1);
        if (!to || ::pread(file_.get(), sealed.data(), sealed.size(), offset_of(*from)) != ssize_t{sealed_bytes} ||
            !write_all(file_.get(), sealed.data(), sealed.size(), offset_of(to->first)))
            break;
        space_.commit(entry, to->first);
    }
    for (const std::uint64_t segment : space_.take_emptied())
        ::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset_of(segment * FileSpace::segment_records),
                    offset_of(FileSpace::segment_records));
}

void FileStore::drop(std::span<const EntryId> entries) {
    const std::lock_guard guard(lock_);
    for (const EntryId entry : entries)
        space_.drop(entry);
}

}  // namespace tmm::far
