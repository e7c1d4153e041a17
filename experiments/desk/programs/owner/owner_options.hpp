// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of owner-workload. Pure, except make_memory().
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "owner_memory.hpp"
#include "pattern.hpp"

namespace tmm::desk {

enum class PatternKind { loop, zipf, phases };
enum class MemoryKind { anonymous, file_read, file_mapped };

struct OwnerOptions {
    PatternKind pattern = PatternKind::loop;
    MemoryKind memory = MemoryKind::anonymous;
    std::string file_path;  // for the two kinds of files
    PageIndex nr_pages = 0;
    std::size_t batch_pages = 0;
    std::chrono::milliseconds think{0};
    double zipf_exponent = 0;
    PageIndex phase_parts = 0;
    unsigned phase_rounds = 0;
    unsigned write_every = 0;
    std::uint64_t seed = 0;
    unsigned compressible = 1;  // See Arena::create().
    std::string log_path;       // Empty: no log.
    std::string ready_path;     // Empty: no file.
};

// arguments without the program's name.
Result<OwnerOptions> parse_owner_options(std::span<const char* const> arguments);

std::unique_ptr<Pattern> make_pattern(const OwnerOptions& options);

// Fills it. Error: not enough memory, or the file cannot be made.
Result<std::unique_ptr<OwnerMemory>> make_memory(const OwnerOptions& options);

extern const char* const owner_usage;

}  // namespace tmm::desk
