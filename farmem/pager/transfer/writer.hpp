// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writer: writes a program's pages to its store, in the order that it is told. It does so in a thread of its own, in batches, and
// no fault waits for a write; or, to compare, page by page within add().
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "farmem/core/program.hpp"
#include "farmem/pager/transfer/shared_link.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

class Writer {
public:
    struct Written {
        SlotId slot = no_slot;
        bool is_stored = false;
    };

    // slots: the memory of all slots. wake: called after each batch, in the thread that writes.
    Writer(Store& store, const char* slots, LinkPlace& link, bool is_async, std::function<void()> wake);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // The drops come before the writes. A slot keeps its content until take_written() returns it.
    void add(const std::vector<EntryId>& drops, const std::vector<Write>& writes);
    std::vector<Written> take_written();

private:
    struct Job {
        EntryId entry = no_entry;
        SlotId slot = no_slot;  // none: drop the entry
        Version version = 0;
    };
    void run();
    void carry_out(const std::vector<Job>& jobs);

    Store& store_;
    const char* slots_;
    LinkPlace& link_;
    const bool is_async_;
    std::function<void()> wake_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::vector<Job> jobs_;
    std::vector<Written> written_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace tmm::far
