// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the texts that far memory reads: commands, lines of /proc/PID/maps and heads of executables.
#include <string>
#include <string_view>

#include "farmem/cli/executable.hpp"
#include "farmem/pager/control.hpp"
#include "farmem/preload/maps_line.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace tmm::far;

void check_command(std::string_view line) {
    const auto command = parse_command(line);
    if (!command)
        return;
    const std::string text = format_command(*command);
    const auto again = parse_command(text);
    TMM_REQUIRE(again && format_command(*again) == text);
    TMM_REQUIRE(command->kind == Command::Kind::status || is_name(command->name));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_command(text);
    (void)parse_maps_line(text);
    const ExecutableHead head = parse_head(text);
    TMM_REQUIRE(!head.is_elf || head.interpreter.empty());
    return 0;
}
