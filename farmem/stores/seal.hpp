// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Seal: encrypts and authenticates pages that leave this process (AES-256-GCM of OpenSSL). The key is random and stays here.
// Program, entry and version are authenticated with the content, and each version has its own nonce, so that a record of another
// page, or an old one, is found out. One object a thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "farmem/core/page.hpp"

struct evp_cipher_ctx_st;

namespace tmm::far {

inline constexpr std::size_t seal_tag_bytes = 16;
inline constexpr std::size_t sealed_bytes = page_bytes + seal_tag_bytes;
using SealedPage = std::array<char, sealed_bytes>;

class SealKey {
public:
    // Returns a new one; aborts without random numbers.
    static SealKey make();

    [[nodiscard]] const std::array<unsigned char, 32>& bytes() const { return bytes_; }
    // Of the program, among those that share a store.
    [[nodiscard]] std::uint64_t program() const { return program_; }

private:
    std::array<unsigned char, 32> bytes_{};
    std::uint64_t program_ = 0;
};

class Seal {
public:
    explicit Seal(const SealKey& key);
    ~Seal();
    Seal(const Seal&) = delete;
    Seal& operator=(const Seal&) = delete;

    // version: never used before with this key.
    void close(EntryId entry, Version version, const char* page, SealedPage& sealed);
    // Returns whether the record is that page; then, and only then, page has it.
    [[nodiscard]] bool open(EntryId entry, Version version, const SealedPage& sealed, char* page);

private:
    SealKey key_;
    evp_cipher_ctx_st* context_;
};

}  // namespace tmm::far
