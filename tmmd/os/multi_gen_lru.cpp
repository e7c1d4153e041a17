// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/multi_gen_lru.hpp"

#include <cstdlib>

namespace tmm::os {

Result<unsigned long> read_multi_gen_lru(const RootDir& root) {
    const auto text = root.read_file(multi_gen_lru_path);
    if (!text)
        return text.error();
    return std::strtoul(text->c_str(), nullptr, 16);
}

bool uses_multi_gen_lru(const RootDir& root) {
    const auto bits = read_multi_gen_lru(root);
    return bits && (*bits & multi_gen_lru_is_used) != 0;
}

}  // namespace tmm::os
