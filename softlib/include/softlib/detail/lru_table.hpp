// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A hash table whose keys are in the order of their last use: chains of nodes, each with a key and what belongs to it, and a list
// through the nodes. A key is stored once, and its hash beside it: neither growing nor dropping calls code of the program.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace soft::detail {

template <class Key, class Item>
class LruTable {
public:
    struct Node {
        template <class K>
        Node(K&& its_key, std::uint64_t its_hash, Item its_item)
            : key(std::forward<K>(its_key)), hash(its_hash), item(std::move(its_item)) {}

        const Key key;
        const std::uint64_t hash;
        Item item;

    private:
        friend class LruTable;
        Node* chain = nullptr;
        Node* newer = nullptr;
        Node* older = nullptr;
    };

    LruTable() = default;
    LruTable(const LruTable&) = delete;
    LruTable& operator=(const LruTable&) = delete;
    ~LruTable() { clear(); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The node that was not used for the longest time; nullptr if there is none.
    [[nodiscard]] Node* oldest() const noexcept { return oldest_; }

    /// Returns nullptr if the table lacks the key. `hash`: of the key; all of its bits should depend on the key. Throws what
    /// `equal` throws.
    template <class K, class Equal>
    Node* find(std::uint64_t hash, const K& key, const Equal& equal) const {
        if (capacity_ == 0) {
            return nullptr;
        }
        for (Node* node = *chain_of(hash); node != nullptr; node = node->chain) {
            if (node->hash == hash && equal(node->key, key)) {
                return node;
            }
        }
        return nullptr;
    }
    /// Inserts a key that is not in the table, as the newest. Throws std::bad_alloc and what copying the key throws; then nothing
    /// is inserted.
    template <class K>
    Node* insert(std::uint64_t hash, K&& key, Item item) {
        auto made = std::make_unique<Node>(std::forward<K>(key), hash, std::move(item));
        if (size_ >= capacity_) {
            grow();
        }
        Node* node = made.release();
        Node** chain = chain_of(hash);
        node->chain = std::exchange(*chain, node);
        link(node);
        ++size_;
        return node;
    }
    /// Makes it the newest.
    void use(Node* node) noexcept {
        if (node != newest_) {
            unlink(node);
            link(node);
        }
    }
    void erase(Node* node) noexcept {
        Node** at = chain_of(node->hash);
        while (*at != node) {
            at = &(*at)->chain;
        }
        *at = node->chain;
        unlink(node);
        --size_;
        delete node;
    }
    void clear() noexcept {
        while (Node* node = oldest_) {
            oldest_ = node->newer;
            delete node;
        }
        newest_ = nullptr;
        chains_.reset();
        capacity_ = 0;
        size_ = 0;
    }

private:
    [[nodiscard]] Node** chain_of(std::uint64_t hash) const noexcept { return &chains_[hash & (capacity_ - 1)]; }
    void grow() {
        const std::size_t capacity = capacity_ == 0 ? 8 : capacity_ * 2;
        chains_ = std::make_unique<Node*[]>(capacity);
        capacity_ = capacity;
        for (Node* node = oldest_; node != nullptr; node = node->newer) {
            Node** chain = chain_of(node->hash);
            node->chain = std::exchange(*chain, node);
        }
    }
    void link(Node* node) noexcept {
        node->newer = nullptr;
        node->older = std::exchange(newest_, node);
        (node->older != nullptr ? node->older->newer : oldest_) = node;
    }
    void unlink(Node* node) noexcept {
        (node->newer != nullptr ? node->newer->older : newest_) = node->older;
        (node->older != nullptr ? node->older->newer : oldest_) = node->newer;
    }

    std::unique_ptr<Node*[]> chains_;
    /// A power of two, or 0.
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
    Node* newest_ = nullptr;
    Node* oldest_ = nullptr;
};

}  // namespace soft::detail
