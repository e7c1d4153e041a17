// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "owner_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "arena.hpp"
#include "base/unique_fd.hpp"

namespace tmm::desk {

namespace {

class AnonymousMemory : public OwnerMemory {
public:
    AnonymousMemory(Arena arena, unsigned write_every) : arena_(std::move(arena)), write_every_(write_every) {}

    Result<void> touch(std::span<const PageIndex> batch) override {
        arena_.touch(batch, write_every_);
        return {};
    }

private:
    Arena arena_;
    unsigned write_every_;
};

// The file, removed at the end.
class OwnerFile {
public:
    OwnerFile(std::string path, UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}
    OwnerFile(OwnerFile&& other) noexcept : path_(std::exchange(other.path_, {})), fd_(std::move(other.fd_)) {}
    OwnerFile& operator=(OwnerFile&&) = delete;
    ~OwnerFile() {
        if (!path_.empty())
            ::unlink(path_.c_str());
    }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] int fd() const { return fd_.get(); }

    // Writes the bytes at the file's end.
    [[nodiscard]] Result<void> append(std::span<const std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
            if (written < 0)
                return Error::from_errno(errno, "cannot write " + path_);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return {};
    }

private:
    std::string path_;
    UniqueFd fd_;
};

class ReadFile : public OwnerMemory {
public:
    explicit ReadFile(OwnerFile file) : file_(std::move(file)) {}

    Result<void> touch(std::span<const PageIndex> batch) override {
        for (const PageIndex page : batch) {
            std::uint64_t word = 0;
            const ssize_t got =
                ::pread(file_.fd(), &word, sizeof word, static_cast<off_t>(page) * static_cast<off_t>(page_bytes));
            if (got < 0)
                return Error::from_errno(errno, "cannot read " + file_.path());
            if (got != sizeof word)
                return Error(EIO, file_.path() + " has become shorter");
        }
        return {};
    }

private:
    OwnerFile file_;
};

class MappedFile : public OwnerMemory {
public:
    MappedFile(OwnerFile file, const std::byte* bytes, std::size_t size_bytes)
        : file_(std::move(file)), bytes_(bytes), size_bytes_(size_bytes) {}
    ~MappedFile() override { ::munmap(const_cast<std::byte*>(bytes_), size_bytes_); }

    Result<void> touch(std::span<const PageIndex> batch) override {
        for (const PageIndex page : batch) {
            // Volatile: the touch is the purpose, and must not be optimized away.
            const volatile std::byte* byte = bytes_ + page * page_bytes;
            static_cast<void>(*byte);
        }
        return {};
    }

private:
    OwnerFile file_;
    const std::byte* bytes_;
    std::size_t size_bytes_;
};

Result<OwnerFile> make_file(const std::string& path, PageIndex nr_pages, std::uint64_t seed) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd)
        return Error::from_errno(errno, "cannot make " + path);
    OwnerFile file(path, std::move(fd));
    constexpr PageIndex pages_per_write = 256;
    for (PageIndex done = 0; done < nr_pages; done += pages_per_write) {
        const auto contents = Arena::create(std::min(pages_per_write, nr_pages - done), seed + done);
        if (!contents)
            return contents.error();
        if (auto result = file.append(contents->bytes()); !result)
            return result.error();
    }
    // Clean pages, as of a file that was only read: the first reclaim is not to write.
    if (::fsync(file.fd()) != 0)
        return Error::from_errno(errno, "cannot write " + path);
    return file;
}

}  // namespace

Result<std::unique_ptr<OwnerMemory>> anonymous_memory(PageIndex nr_pages, std::uint64_t seed, unsigned write_every,
                                                      unsigned compressible) {
    auto arena = Arena::create(nr_pages, seed, compressible);
    if (!arena)
        return arena.error();
    return std::unique_ptr<OwnerMemory>(std::make_unique<AnonymousMemory>(*std::move(arena), write_every));
}

Result<std::unique_ptr<OwnerMemory>> file_memory(const std::string& path, PageIndex nr_pages, std::uint64_t seed,
                                                 FileAccess access) {
    auto file = make_file(path, nr_pages, seed);
    if (!file)
        return file.error();
    if (access == FileAccess::read) {
        ::posix_fadvise(file->fd(), 0, 0, POSIX_FADV_RANDOM);
        return std::unique_ptr<OwnerMemory>(std::make_unique<ReadFile>(*std::move(file)));
    }
    const std::size_t size_bytes = std::size_t{nr_pages} * page_bytes;
    void* bytes = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, file->fd(), 0);
    if (bytes == MAP_FAILED)
        return Error::from_errno(errno, "cannot map " + path);
    ::madvise(bytes, size_bytes, MADV_RANDOM);
    return std::unique_ptr<OwnerMemory>(
        std::make_unique<MappedFile>(*std::move(file), static_cast<const std::byte*>(bytes), size_bytes));
}

}  // namespace tmm::desk
