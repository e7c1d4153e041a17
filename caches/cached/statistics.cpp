// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/statistics.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdio>
#include <string>
#include <utility>

namespace tmm::caches {
namespace {

// At most such a part of one processor goes into readings of the heap, however often clients ask.
constexpr int heap_share = 10;

// A list of statistics under construction.
class List {
public:
    List& text(std::string_view name, std::string_view value) {
        statistics_.push_back({std::string(name), std::string(value)});
        return *this;
    }
    List& number(std::string_view name, std::uint64_t value) { return text(name, std::to_string(value)); }
    List& flag(std::string_view name, bool value) { return text(name, value ? "yes" : "no"); }
    template <std::size_t Size>
    List& zeros(const std::array<std::string_view, Size>& names) {
        for (const std::string_view name : names)
            number(name, 0);
        return *this;
    }
    std::vector<Statistic> take() { return std::move(statistics_); }

private:
    std::vector<Statistic> statistics_;
};

std::string seconds(const timeval& time) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%lld.%06ld", static_cast<long long>(time.tv_sec), static_cast<long>(time.tv_usec));
    return text.data();
}

}  // namespace

std::uint64_t Statistics::count(Count count) const {
    std::uint64_t all = 0;
    for (const auto& counters : counters_)
        all += counters->get(count);
    return all;
}

soft::heap_statistics Statistics::heap() {
    const std::lock_guard lock(mutex_);
    const auto begin = std::chrono::steady_clock::now();
    if (begin >= next_reading_) {
        heap_ = store_.get_heap().statistics();
        const auto end = std::chrono::steady_clock::now();
        next_reading_ = end + heap_share * (end - begin);
    }
    return heap_;
}

void Statistics::reset() {
    for (const auto& counters : counters_)
        counters->reset();
    const auto evicted = heap().evicted_objects;
    const std::lock_guard lock(mutex_);
    store_before_ = store_.statistics();
    evicted_before_ = evicted;
}

std::vector<Statistic> Statistics::get(std::string_view what) {
    if (what.empty())
        return general();
    if (what == "settings")
        return settings();
    if (what == "conns")
        return connections();
    if (what == "items")
        return items();
    if (what == "slabs")
        return slabs();
    if (what == "sizes")
        return List().text("sizes_status", "disabled").take();
    return {};
}

std::vector<Statistic> Statistics::general() {
    const ServerTime time = time_();
    const auto heap = this->heap();
    const ByteStoreStatistics store = store_.statistics();
    ByteStoreStatistics before;
    std::uint64_t evicted_before = 0;
    {
        const std::lock_guard lock(mutex_);
        before = store_before_;
        evicted_before = evicted_before_;
    }
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    Server* const server = server_;
    std::uint64_t read_bytes = 0;
    std::uint64_t written_bytes = 0;
    std::uint64_t yields = 0;
    std::uint64_t idle_kicks = 0;
    if (server != nullptr) {
        for (const auto& worker : server->workers()) {
            read_bytes += worker->counts().read_bytes;
            written_bytes += worker->counts().written_bytes;
            yields += worker->counts().yields;
            idle_kicks += worker->counts().idle_kicks;
        }
    }
    const auto connections = server == nullptr ? 0 : server->accounts().connections();
    List list;
    list.number("pid", static_cast<std::uint64_t>(::getpid()))
        .number("uptime", time.now)
        .number("time", static_cast<std::uint64_t>(time.started + time.now))
        .text("version", protocol_version)
        .text("libevent", "none")
        .number("pointer_size", 8 * sizeof(void*))
        .text("rusage_user", seconds(usage.ru_utime))
        .text("rusage_system", seconds(usage.ru_stime))
        .number("max_connections", settings_.max_connections)
        .number("curr_connections", connections)
        .number("total_connections", server == nullptr ? 0 : server->counts().accepted.load())
        .number("rejected_connections", server == nullptr ? 0 : server->counts().rejected.load())
        .number("connection_structures", connections)
        .zeros(std::to_array<std::string_view>({"response_obj_oom", "response_obj_count", "response_obj_bytes", "read_buf_count",
                                                "read_buf_bytes", "read_buf_bytes_free", "read_buf_oom", "reserved_fds"}))
        .number("cmd_get", count(Count::cmd_get))
        .number("cmd_set", count(Count::cmd_set))
        .number("cmd_flush", count(Count::cmd_flush))
        .number("cmd_touch", count(Count::cmd_touch))
        .number("cmd_meta", count(Count::cmd_meta))
        .number("get_hits", count(Count::get_hits))
        .number("get_misses", count(Count::get_misses))
        .number("get_expired", store.expired - before.expired)
        .number("get_flushed", store.flushed - before.flushed)
        .number("delete_misses", count(Count::delete_misses))
        .number("delete_hits", count(Count::delete_hits))
        .number("incr_misses", count(Count::incr_misses))
        .number("incr_hits", count(Count::incr_hits))
        .number("decr_misses", count(Count::decr_misses))
        .number("decr_hits", count(Count::decr_hits))
        .number("cas_misses", count(Count::cas_misses))
        .number("cas_hits", count(Count::cas_hits))
        .number("cas_badval", count(Count::cas_badval))
        .number("touch_hits", count(Count::touch_hits))
        .number("touch_misses", count(Count::touch_misses))
        .number("store_too_large", count(Count::store_too_large))
        .number("store_no_memory", count(Count::store_no_memory))
        .number("auth_cmds", count(Count::auth_cmds))
        .number("auth_errors", count(Count::auth_errors));
    if (settings_.idle_timeout.count() > 0)
        list.number("idle_kicks", idle_kicks);
    list.number("bytes_read", read_bytes)
        .number("bytes_written", written_bytes)
        .number("limit_maxbytes", heap.limit_bytes)
        .number("accepting_conns", server == nullptr || server->counts().accepts ? 1 : 0)
        .number("listen_disabled_num", server == nullptr ? 0 : server->counts().listen_disabled.load())
        .number("time_in_listen_disabled_us", server == nullptr ? 0 : server->counts().disabled_microseconds.load())
        .number("threads", settings_.nr_threads)
        .number("conn_yields", yields)
        .number("hash_power_level", std::bit_width(store.index_bytes / 16))
        .number("hash_bytes", store.index_bytes)
        .zeros(std::to_array<std::string_view>({
            "hash_is_expanding",
            "slab_reassign_rescues",
            "slab_reassign_chunk_rescues",
            "slab_reassign_inline_reclaim",
            "slab_reassign_busy_items",
            "slab_reassign_busy_deletes",
            "slab_reassign_busy_nomem",
            "slab_reassign_running",
            "slabs_moved",
            "malloc_fails",
            "log_worker_dropped",
            "log_worker_written",
            "log_watcher_skipped",
            "log_watcher_sent",
            "log_watchers",
        }))
        .number("bytes", heap.live_bytes)
        .number("curr_items", store.items)
        .number("total_items", count(Count::total_items))
        .zeros(std::to_array<std::string_view>(
            {"slab_global_page_pool", "expired_unfetched", "evicted_unfetched", "evicted_active"}))
        .number("evictions", heap.evicted_objects - evicted_before + store.lost - before.lost)
        .number("reclaimed", store.swept - before.swept)
        .zeros(std::to_array<std::string_view>(
            {"crawler_reclaimed", "crawler_items_checked", "lrutail_reflocked", "lru_bumps_dropped"}));
    return list.take();
}

std::vector<Statistic> Statistics::settings() const {
    std::string addresses;
    for (const std::string& address : settings_.addresses)
        addresses += (addresses.empty() ? "" : ",") + address;
    std::array<char, 16> mode{};
    std::snprintf(mode.data(), mode.size(), "%o", settings_.socket_mode);
    const char* const binding = settings_.binding == Binding::automatic ? "auto-negotiate"
                                : settings_.binding == Binding::ascii   ? "ascii"
                                                                        : "binary";
    return List()
        .number("maxbytes", store_.get_heap().statistics().limit_bytes)
        .number("maxconns", settings_.max_connections)
        .number("tcpport", settings_.port)
        .number("udpport", 0)
        .text("inter", addresses.empty() ? "NULL" : addresses)
        .number("verbosity", static_cast<std::uint64_t>(settings_.verbosity))
        .number("oldest", 0)
        .text("evictions", "on")
        .text("domain_socket", settings_.socket_path.empty() ? "NULL" : settings_.socket_path)
        .text("umask", mode.data())
        .flag("shutdown_command", settings_.allows_shutdown)
        .number("num_threads", settings_.nr_threads)
        .text("stat_key_prefix", ":")
        .flag("detail_enabled", false)
        .number("reqs_per_event", settings_.max_requests_per_turn)
        .flag("cas_enabled", settings_.has_cas)
        .number("tcp_backlog", static_cast<std::uint64_t>(settings_.backlog))
        .text("binding_protocol", binding)
        .flag("auth_enabled_sasl", false)
        .text("auth_enabled_ascii", settings_.auth_file.empty() ? "no" : settings_.auth_file)
        .number("item_size_max", settings_.max_item_bytes)
        .flag("maxconns_fast", settings_.refuses_at_once)
        .flag("slab_reassign", false)
        .number("slab_automove", 0)
        .flag("lru_crawler", false)
        .flag("flush_enabled", settings_.allows_flush)
        .flag("dump_enabled", settings_.allows_dump)
        .text("hash_algorithm", "siphash")
        .flag("lru_maintainer_thread", false)
        .flag("lru_segmented", false)
        .number("idle_timeout", static_cast<std::uint64_t>(settings_.idle_timeout.count()))
        .flag("track_sizes", false)
        .flag("inline_ascii_response", false)
        .flag("drop_privileges", false)
        .number("client_flags_size", sizeof(std::uint32_t))
        .take();
}

std::vector<Statistic> Statistics::connections() const {
    List list;
    Server* const server = server_;
    if (server == nullptr)
        return list.take();
    const auto describe = [&](std::uint64_t number, const std::string& address, std::string_view state) -> List& {
        const std::string prefix = std::to_string(number) + ":";
        return list.text(prefix + "addr", address).text(prefix + "state", state);
    };
    for (const Listener& listener : server->listeners()) {
        const auto number = static_cast<std::uint64_t>(listener.socket.get());
        const std::uint16_t port = port_of(listener);
        describe(number, port == 0 ? "unix:" + listener.path : "tcp:0.0.0.0:" + std::to_string(port), "conn_listening");
    }
    for (const auto& worker : server->workers()) {
        for (const auto& connection : worker->describe()) {
            const auto number = static_cast<std::uint64_t>(connection.socket);
            const std::string prefix = std::to_string(number) + ":";
            describe(number, connection.address, connection.state)
                .text(prefix + "listen_addr", connection.listen_address)
                .number(prefix + "secs_since_last_cmd", static_cast<std::uint64_t>(connection.idle.count()));
        }
    }
    return list.take();
}

std::vector<Statistic> Statistics::items() {
    const ByteStoreStatistics store = store_.statistics();
    if (store.items == 0)
        return {};
    const auto heap = this->heap();
    return List()
        .number("items:1:number", store.items)
        .number("items:1:age", 0)
        .number("items:1:evicted", heap.evicted_objects)
        .number("items:1:outofmemory", store.no_room)
        .number("items:1:mem_requested", heap.live_bytes)
        .number("items:1:reclaimed", store.swept)
        .take();
}

std::vector<Statistic> Statistics::slabs() {
    const auto heap = this->heap();
    return List()
        .number("active_slabs", heap.segment_bytes > 0 ? 1 : 0)
        .number("total_malloced", heap.live_bytes + store_.statistics().index_bytes)
        .take();
}

}  // namespace tmm::caches
