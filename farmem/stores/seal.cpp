// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/seal.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <cstdlib>
#include <cstring>

namespace tmm::far {

namespace {

constexpr std::size_t nonce_bytes = 12;

struct Name {
    std::uint64_t program;
    std::uint64_t entry;
    std::uint64_t version;
};

std::array<unsigned char, nonce_bytes> nonce_of(Version version) {
    std::array<unsigned char, nonce_bytes> nonce{};
    std::memcpy(nonce.data(), &version, sizeof version);
    return nonce;
}

void require(bool holds) {
    if (!holds)
        std::abort();
}

}  // namespace

SealKey SealKey::make() {
    SealKey key;
    require(::RAND_bytes(key.bytes_.data(), static_cast<int>(key.bytes_.size())) == 1 &&
            ::RAND_bytes(reinterpret_cast<unsigned char*>(&key.program_), sizeof key.program_) == 1);
    return key;
}

Seal::Seal(const SealKey& key) : key_(key), context_(::EVP_CIPHER_CTX_new()) {
    require(context_ && ::EVP_CipherInit_ex(context_, ::EVP_aes_256_gcm(), nullptr, key_.bytes().data(), nullptr, 1) == 1);
}

Seal::~Seal() {
    ::EVP_CIPHER_CTX_free(context_);
}

void Seal::close(EntryId entry, Version version, const char* page, SealedPage& sealed) {
    const Name name{key_.program(), entry, version};
    auto* const out = reinterpret_cast<unsigned char*>(sealed.data());
    int length = 0;
    require(::EVP_EncryptInit_ex(context_, nullptr, nullptr, nullptr, nonce_of(version).data()) == 1 &&
            ::EVP_EncryptUpdate(context_, nullptr, &length, reinterpret_cast<const unsigned char*>(&name), sizeof name) == 1 &&
            ::EVP_EncryptUpdate(context_, out + seal_tag_bytes, &length, reinterpret_cast<const unsigned char*>(page),
                                page_bytes) == 1 &&
            ::EVP_EncryptFinal_ex(context_, out + sealed_bytes, &length) == 1 &&
            ::EVP_CIPHER_CTX_ctrl(context_, EVP_CTRL_GCM_GET_TAG, seal_tag_bytes, out) == 1);
}

bool Seal::open(EntryId entry, Version version, const SealedPage& sealed, char* page) {
    const Name name{key_.program(), entry, version};
    const auto* const in = reinterpret_cast<const unsigned char*>(sealed.data());
    std::array<unsigned char, page_bytes> plain;
    int length = 0;
    require(::EVP_DecryptInit_ex(context_, nullptr, nullptr, nullptr, nonce_of(version).data()) == 1 &&
            ::EVP_DecryptUpdate(context_, nullptr, &length, reinterpret_cast<const unsigned char*>(&name), sizeof name) == 1 &&
            ::EVP_DecryptUpdate(context_, plain.data(), &length, in + seal_tag_bytes, page_bytes) == 1 &&
            ::EVP_CIPHER_CTX_ctrl(context_, EVP_CTRL_GCM_SET_TAG, seal_tag_bytes, const_cast<unsigned char*>(in)) == 1);
    if (::EVP_DecryptFinal_ex(context_, plain.data() + page_bytes, &length) != 1)
        return false;
    std::memcpy(page, plain.data(), page_bytes);
    return true;
}

}  // namespace tmm::far
