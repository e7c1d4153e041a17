// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The differences of RocksDB's SecondaryCache between 7.8 (Debian 12) and 9.10 (Debian 13). DerivedCache implements save() and
// find() with bytes alone.
#pragma once

#include <rocksdb/secondary_cache.h>
#include <rocksdb/version.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmm::soft_memory {

#if ROCKSDB_MAJOR >= 9
using CachedObject = rocksdb::Cache::ObjectPtr;
#else
using CachedObject = void*;
#endif

class FoundObject final : public rocksdb::SecondaryCacheResultHandle {
public:
    FoundObject(CachedObject object, std::size_t charge) : object_(object), charge_(charge) {}
    bool IsReady() override { return true; }
    void Wait() override {}
    CachedObject Value() override { return object_; }
    std::size_t Size() override { return charge_; }

private:
    CachedObject object_;
    std::size_t charge_;
};

class BytesCache : public rocksdb::SecondaryCache {
public:
    [[nodiscard]] bool SupportForceErase() const override { return false; }
    void WaitAll(std::vector<rocksdb::SecondaryCacheResultHandle*> /*handles*/) override {}

    rocksdb::Status Insert(const rocksdb::Slice& key, CachedObject object, const rocksdb::Cache::CacheItemHelper* helper
#if ROCKSDB_MAJOR >= 9
                           ,
                           bool /*force_insert*/
#endif
                           ) override {
        std::string bytes(helper->size_cb(object), '\0');
        rocksdb::Status status = helper->saveto_cb(object, 0, bytes.size(), bytes.data());
        if (status.ok())
            save(key.ToString(), std::move(bytes));
        return status;
    }

#if ROCKSDB_MAJOR >= 9
    rocksdb::Status InsertSaved(const rocksdb::Slice& /*key*/, const rocksdb::Slice& /*saved*/, rocksdb::CompressionType /*type*/,
                                rocksdb::CacheTier /*source*/) override {
        return rocksdb::Status::OK();
    }
    std::unique_ptr<rocksdb::SecondaryCacheResultHandle> Lookup(const rocksdb::Slice& key,
                                                                const rocksdb::Cache::CacheItemHelper* helper,
                                                                rocksdb::Cache::CreateContext* context, bool /*wait*/,
                                                                bool /*advise_erase*/, rocksdb::Statistics* /*statistics*/,
                                                                bool& is_kept) override {
        return look(key, is_kept, [&](const std::string& bytes, CachedObject* object, std::size_t* charge) {
            return helper->create_cb(bytes, rocksdb::kNoCompression, rocksdb::CacheTier::kVolatileTier, context, nullptr, object,
                                     charge);
        });
    }
#else
    std::unique_ptr<rocksdb::SecondaryCacheResultHandle> Lookup(const rocksdb::Slice& key,
                                                                const rocksdb::Cache::CreateCallback& create, bool /*wait*/,
                                                                bool /*advise_erase*/, bool& is_kept) override {
        return look(key, is_kept, [&](const std::string& bytes, CachedObject* object, std::size_t* charge) {
            return create(bytes.data(), bytes.size(), object, charge);
        });
    }
#endif

protected:
    virtual void save(std::string key, std::string bytes) = 0;
    virtual std::optional<std::string> find(const std::string& key) = 0;

private:
    template <class Create>
    std::unique_ptr<rocksdb::SecondaryCacheResultHandle> look(const rocksdb::Slice& key, bool& is_kept, Create create) {
        const std::optional<std::string> bytes = find(key.ToString());
        CachedObject object = nullptr;
        std::size_t charge = 0;
        is_kept = bytes.has_value();
        if (!bytes || !create(*bytes, &object, &charge).ok())
            return nullptr;
        return std::make_unique<FoundObject>(object, charge);
    }
};

}  // namespace tmm::soft_memory
