// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tmmd/trace/trace_reader.hpp"

namespace tmm::replay {

namespace {

constexpr std::size_t block_bytes = 1 << 20;
constexpr std::uint64_t records_between_progress = 1 << 18;

Result<UniqueFd> nameless_file() {
    const char* const wanted = std::getenv("TMPDIR");
    const std::string directory = wanted && *wanted ? wanted : "/tmp";
    std::string pattern = directory + "/tmm-replay-XXXXXX";
    UniqueFd fd(::mkostemp(pattern.data(), O_CLOEXEC));
    if (!fd)
        return Error::from_errno(errno, "a temporary file in " + directory);
    ::unlink(pattern.c_str());
    return fd;
}

Result<std::size_t> read_some(int fd, std::vector<char>& block) {
    for (;;) {
        const ssize_t got = ::read(fd, block.data(), block.size());
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR)
            return Error(errno, std::strerror(errno));
    }
}

Result<void> write_all(int fd, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Error::from_errno(errno, "the temporary copy");
        data += written;
        size -= static_cast<std::size_t>(written);
    }
    return {};
}

}  // namespace

Result<Input> Input::open(const std::string& file, std::uint64_t record_time_us) {
    const bool is_stdin = file == "-";
    const std::string name = is_stdin ? "standard input" : file;
    UniqueFd fd(is_stdin ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!fd)
        return Error::from_errno(errno, name);
    Input input(std::move(fd), name, record_time_us);
    struct stat status {};
    if (::fstat(input.fd_.get(), &status) != 0)
        return Error::from_errno(errno, name);
    input.is_regular_ = S_ISREG(status.st_mode) && ::lseek(input.fd_.get(), 0, SEEK_CUR) == 0;
    if (input.is_regular_)
        input.size_bytes_ = static_cast<std::uint64_t>(status.st_size);
    return input;
}

Result<void> Input::make_rereadable() {
    if (is_regular_)
        return {};
    auto copy = nameless_file();
    if (!copy)
        return std::move(copy).error();
    std::vector<char> block(block_bytes);
    for (;;) {
        const auto got = read_some(fd_.get(), block);
        if (!got)
            return Error(got.error()).with_context(name_);
        if (*got == 0)
            break;
        auto written = write_all(copy->get(), block.data(), *got);
        if (!written)
            return std::move(written).error().with_context(name_);
        size_bytes_ += *got;
    }
    fd_ = *std::move(copy);
    is_regular_ = true;
    return {};
}

Result<void> Input::for_each(const std::function<void(std::uint64_t)>& progress,
                             const std::function<void(const trace::Record&)>& use) {
    if (is_regular_ && ::lseek(fd_.get(), 0, SEEK_SET) != 0)
        return Error::from_errno(errno, name_);
    UniqueFd fd(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0));
    if (!fd)
        return Error::from_errno(errno, name_);
    trace::TraceReader reader(std::move(fd), name_, record_time_us_);
    trace::Record record;
    for (std::uint64_t count = 1;; ++count) {
        auto more = reader.next(record);
        if (!more)
            return std::move(more).error();
        if (!*more)
            return {};
        use(record);
        if (count % records_between_progress == 0)
            progress(reader.bytes_read());
    }
}

}  // namespace tmm::replay
