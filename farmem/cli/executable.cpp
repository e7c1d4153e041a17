// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/executable.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.hpp"
#include "base/units.hpp"

namespace tmm::far {

namespace {

constexpr std::size_t head_bytes = 4096;
constexpr int max_interpreters = 4;  // as the kernel

}  // namespace

ExecutableHead parse_head(std::string_view head) {
    ExecutableHead found;
    if (head.starts_with("#!")) {
        const std::string_view line = trim(head.substr(2, std::min(head.find('\n'), head.size()) - 2));
        found.interpreter = line.substr(0, line.find_first_of(" \t"));
        return found;
    }
    Elf64_Ehdr header{};
    if (head.size() < sizeof header || !head.starts_with(std::string_view(ELFMAG, SELFMAG)))
        return found;
    found.is_elf = true;
    std::memcpy(&header, head.data(), sizeof header);
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        const std::size_t at = header.e_phoff + i * sizeof segment;
        if (header.e_phoff > head.size() || at + sizeof segment > head.size())
            break;
        std::memcpy(&segment, head.data() + at, sizeof segment);
        found.is_dynamic = found.is_dynamic || segment.p_type == PT_INTERP;
    }
    return found;
}

Result<std::string> find_executable(const std::string& command) {
    if (command.find('/') != command.npos)
        return command;
    const char* const given = std::getenv("PATH");
    std::string_view path = given ? given : "/usr/local/bin:/usr/bin:/bin";
    while (!path.empty()) {
        const std::size_t length = std::min(path.find(':'), path.size());
        std::string candidate = std::string(path.substr(0, length)) + "/" + command;
        struct stat status {};
        if (::access(candidate.c_str(), X_OK) == 0 && ::stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode))
            return candidate;
        path.remove_prefix(std::min(length + 1, path.size()));
    }
    return Error::from_errno(ENOENT, command);
}

Result<void> check_executable(const std::string& path) {
    std::string at = path;
    for (int depth = 0; depth <= max_interpreters; ++depth) {
        const UniqueFd file(::open(at.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat status {};
        if (!file || ::fstat(file.get(), &status) != 0)
            return Error::from_errno(errno, at);
        if ((status.st_mode & (S_ISUID | S_ISGID)) != 0 || ::fgetxattr(file.get(), "security.capability", nullptr, 0) > 0)
            return Error(EPERM, at + " runs with rights of its own (setuid, setgid or capabilities): it cannot have far memory");
        std::string head(head_bytes, '\0');
        const ssize_t bytes = ::read(file.get(), head.data(), head.size());
        head.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
        const ExecutableHead found = parse_head(head);
        if (found.is_elf && !found.is_dynamic)
            return Error(ENOTSUP, at + " is linked statically: it cannot have far memory");
        if (found.interpreter.empty())
            return {};
        at = found.interpreter;
    }
    return {};
}

}  // namespace tmm::far
