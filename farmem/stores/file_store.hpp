// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FileStore: keeps sealed pages in a file without a name, which is gone with the process.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "farmem/stores/file_space.hpp"
#include "farmem/stores/seal.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class FileStore : public Store {
public:
    // folder: on a file system with room, not tmpfs. Error: the file cannot be made there.
    static Result<std::unique_ptr<FileStore>> make(const std::string& folder, std::uint64_t max_records);

    void get(std::span<Get> gets) override;
    void put(std::span<Put> puts) override;
    void drop(std::span<const EntryId> entries) override;
    [[nodiscard]] std::string name() const override { return "file"; }

private:
    FileStore(UniqueFd file, std::uint64_t max_records);
    void compact();

    UniqueFd file_;
    SealKey key_ = SealKey::make();
    Seal reader_{key_};
    Seal writer_{key_};
    // Guards space_, and the places that it names: none is written again while somebody reads it.
    std::mutex lock_;
    FileSpace space_;
};

}  // namespace tmm::far
