// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/options.hpp"

#include <getopt.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "base/units.hpp"
#include "caches/memcache/numbers.hpp"

namespace tmm::caches {
namespace {

constexpr std::size_t min_item_bytes = 1024;
constexpr std::size_t max_item_bytes = std::size_t{128} << 20;
constexpr std::size_t max_threads = 64;

constexpr std::array long_options{
    option{"port", required_argument, nullptr, 'p'},
    option{"udp-port", required_argument, nullptr, 'U'},
    option{"unix-socket", required_argument, nullptr, 's'},
    option{"unix-mask", required_argument, nullptr, 'a'},
    option{"enable-shutdown", no_argument, nullptr, 'A'},
    option{"listen", required_argument, nullptr, 'l'},
    option{"daemon", no_argument, nullptr, 'd'},
    option{"enable-coredumps", no_argument, nullptr, 'r'},
    option{"user", required_argument, nullptr, 'u'},
    option{"memory-limit", required_argument, nullptr, 'm'},
    option{"disable-evictions", no_argument, nullptr, 'M'},
    option{"conn-limit", required_argument, nullptr, 'c'},
    option{"lock-memory", no_argument, nullptr, 'k'},
    option{"verbose", optional_argument, nullptr, 'v'},
    option{"help", no_argument, nullptr, 'h'},
    option{"license", no_argument, nullptr, 'i'},
    option{"version", no_argument, nullptr, 'V'},
    option{"pidfile", required_argument, nullptr, 'P'},
    option{"slab-growth-factor", required_argument, nullptr, 'f'},
    option{"slab-min-size", required_argument, nullptr, 'n'},
    option{"enable-largepages", no_argument, nullptr, 'L'},
    option{"threads", required_argument, nullptr, 't'},
    option{"max-reqs-per-event", required_argument, nullptr, 'R'},
    option{"disable-cas", no_argument, nullptr, 'C'},
    option{"listen-backlog", required_argument, nullptr, 'b'},
    option{"protocol", required_argument, nullptr, 'B'},
    option{"max-item-size", required_argument, nullptr, 'I'},
    option{"disable-flush-all", no_argument, nullptr, 'F'},
    option{"disable-dumping", no_argument, nullptr, 'X'},
    option{"disable-watch", no_argument, nullptr, 'W'},
    option{"auth-file", required_argument, nullptr, 'Y'},
    option{"extended", required_argument, nullptr, 'o'},
    option{nullptr, 0, nullptr, 0},
};

// They tune memcached's slabs, LRU and buffers, which this program does not have.
constexpr std::array<std::string_view, 33> without_effect{
    "hashpower",         "no_hashexpand",       "slab_reassign",        "no_slab_reassign",
    "slab_automove",     "no_slab_automove",    "slab_automove_ratio",  "slab_automove_window",
    "tail_repair_time",  "hash_algorithm",      "lru_crawler",          "no_lru_crawler",
    "lru_crawler_sleep", "lru_crawler_tocrawl", "lru_maintainer",       "no_lru_maintainer",
    "hot_lru_pct",       "warm_lru_pct",        "hot_max_factor",       "warm_max_factor",
    "temporary_ttl",     "watcher_logbuf_size", "worker_logbuf_size",   "slab_sizes",
    "slab_chunk_max",    "track_sizes",         "no_inline_ascii_resp", "inline_ascii_resp",
    "no_chunked_items",  "resp_obj_mem_limit",  "read_buf_mem_limit",   "modern",
    "no_modern"};
constexpr std::array<std::string_view, 5> of_privileges{"no_drop_privileges", "drop_privileges", "relaxed_privileges",
                                                        "sock_cookie_id", "maxconns_fast"};

template <typename Number>
Result<void> read(char name, std::string_view text, Number min, Number max, Number& number) {
    const auto parsed = memcache::parse_number<std::int64_t>(trim(text));
    if (!parsed || *parsed < static_cast<std::int64_t>(min) || (max != 0 && *parsed > static_cast<std::int64_t>(max)))
        return Error(EINVAL, std::string("option -") + name + ": '" + std::string(text) + "' is not a number that it takes");
    number = static_cast<Number>(*parsed);
    return {};
}

// memcached takes "-p -1" for any port, and "-p 0" for none.
Result<void> read_port(std::string_view text, Settings& settings) {
    const auto port = memcache::parse_number<std::int32_t>(trim(text));
    if (!port || *port < -1 || *port > std::numeric_limits<std::uint16_t>::max())
        return Error(EINVAL, "option -p: '" + std::string(text) + "' is not a port");
    settings.any_port = *port == -1;
    settings.port = settings.any_port ? std::uint16_t{0} : static_cast<std::uint16_t>(*port);
    settings.listens_tcp = *port != 0;
    settings.has_port = true;
    return {};
}

Result<void> read_extended(std::string_view list, Options& options) {
    Settings& settings = options.settings;
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
        const std::string_view name = entry.substr(0, entry.find('='));
        const std::string_view value = name.size() < entry.size() ? entry.substr(name.size() + 1) : std::string_view();
        if (name == "idle_timeout") {
            std::uint32_t seconds = 0;
            if (auto done = read('o', value, 0U, 0U, seconds); !done)
                return done;
            settings.idle_timeout = std::chrono::seconds(seconds);
        } else if (name == "maxconns_fast") {
            settings.refuses_at_once = true;
        } else if (name == "no_maxconns_fast") {
            settings.refuses_at_once = false;
        } else if (name == "crsh") {
            settings.crsh_path = value;
        } else if (name == "fixed_memory") {
            settings.has_fixed_memory = true;
        } else if (name == "debugtime") {
            settings.moves_clock = true;
        } else if (std::ranges::find(without_effect, name) != without_effect.end()) {
            options.ignored.append(options.ignored.empty() ? "" : ", ").append("-o ").append(name);
        } else if (std::ranges::find(of_privileges, name) == of_privileges.end() && !entry.empty()) {
            return Error(EINVAL, "option -o: there is no '" + std::string(name) + "'");
        }
    }
    return {};
}

Result<void> read_item_size(std::string_view text, Settings& settings) {
    const auto bytes = parse_bytes(text);
    if (!bytes)
        return Error(EINVAL, "option -I: '" + std::string(text) + "' is not a size");
    if (*bytes < min_item_bytes)
        return Error(EINVAL, "option -I: an item has at least 1024 bytes");
    if (*bytes > max_item_bytes)
        return Error(EINVAL, "option -I: an item has at most 128 MiB");
    settings.max_item_bytes = *bytes;
    return {};
}

Result<void> read_protocol(std::string_view name, Settings& settings) {
    if (name != "auto" && name != "ascii" && name != "binary")
        return Error(EINVAL, "option -B: the protocol is auto, ascii or binary, and not '" + std::string(name) + "'");
    settings.binding = name == "auto" ? Binding::automatic : name == "ascii" ? Binding::ascii : Binding::binary;
    return {};
}

void read_addresses(std::string_view list, Settings& settings) {
    while (!list.empty()) {
        const std::string_view address = list.substr(0, list.find(','));
        list.remove_prefix(std::min(address.size() + 1, list.size()));
        if (!trim(address).empty())
            settings.addresses.emplace_back(trim(address));
    }
}

Result<void> apply(int letter, std::string_view value, Options& options) {
    Settings& settings = options.settings;
    const char name = static_cast<char>(letter);
    switch (letter) {
        case 'p':
            return read_port(value, settings);
        case 's':
            settings.socket_path = value;
            return {};
        case 'a': {
            unsigned mode = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), mode, 8);
            if (error != std::errc{} || end != value.data() + value.size() || mode > 0777)
                return Error(EINVAL, "option -a: '" + std::string(value) + "' is not a mode");
            settings.socket_mode = mode;
            return {};
        }
        case 'A':
            settings.allows_shutdown = true;
            return {};
        case 'l':
            read_addresses(value, settings);
            return {};
        case 'd':
            settings.daemonizes = true;
            return {};
        case 'r':
            settings.dumps_core = true;
            return {};
        case 'u':
            settings.user = value;
            return {};
        case 'm': {
            std::size_t megabytes = 0;
            if (auto done = read(name, value, std::size_t{0}, std::size_t{1} << 24, megabytes); !done)
                return done;
            settings.memory_bytes = megabytes << 20;
            return {};
        }
        case 'c':
            return read(name, value, std::size_t{1}, std::size_t{1} << 20, settings.max_connections);
        case 'k':
            settings.locks_memory = true;
            return {};
        case 'v':
            settings.verbosity += 1 + static_cast<int>(std::ranges::count(value, 'v'));
            return {};
        case 'P':
            settings.pid_file = value;
            return {};
        case 't':
            return read(name, value, std::size_t{1}, max_threads, settings.nr_threads);
        case 'R':
            return read(name, value, std::size_t{1}, std::size_t{1} << 20, settings.max_requests_per_turn);
        case 'C':
            settings.has_cas = false;
            return {};
        case 'b':
            return read(name, value, 1, std::numeric_limits<int>::max(), settings.backlog);
        case 'B':
            return read_protocol(value, settings);
        case 'I':
            return read_item_size(value, settings);
        case 'F':
            settings.allows_flush = false;
            return {};
        case 'X':
            settings.allows_dump = false;
            return {};
        case 'Y':
            settings.auth_file = value;
            return {};
        case 'o':
            return read_extended(value, options);
        case 'h':
            options.start = Start::help;
            return {};
        case 'i':
            options.start = Start::license;
            return {};
        case 'V':
            options.start = Start::version;
            return {};
        case 'U':
        case 'f':
        case 'n':
        case 'D':
        case 'L':
        case 'W':
        case 'M':
            options.ignored.append(options.ignored.empty() ? "-" : ", -").append(1, name);
            return {};
        default:
            return Error(EINVAL, "unknown option; see --help");
    }
}

}  // namespace

Result<Options> parse_options(int argc, char** argv) {
    Options options;
    for (;;) {
        const int letter =
            ::getopt_long(argc, argv, "p:U:s:a:Al:dru:m:Mc:kvhiVP:f:n:LD:t:R:Cb:B:I:FXWY:o:", long_options.data(), nullptr);
        if (letter == -1)
            break;
        if (auto applied = apply(letter, optarg == nullptr ? "" : optarg, options); !applied)
            return applied.error();
    }
    if (options.settings.has_fixed_memory && options.settings.memory_bytes == 0)
        return Error(EINVAL, "option -o fixed_memory: needs -m");
    if (optind < argc)
        return Error(EINVAL, std::string("'") + argv[optind] + "' is no option");
    return options;
}

std::string_view help_text() {
    return R"(memcached 1.6.38 (its protocols and options, by tmm-cached )" TMM_VERSION R"()
Usage: tmm-cached [OPTION]...
Keep what memcached's clients store in memory that nobody else needs. The cache
grows and shrinks with the machine's free memory.

-p, --port=<num>          TCP port to listen on (default: 11211; 0: none)
-U, --udp-port=<num>      accepted, without effect: there is no UDP
-s, --unix-socket=<file>  UNIX socket to listen on (disables network support)
-a, --unix-mask=<mask>    access mask for UNIX socket, in octal (default: 700)
-A, --enable-shutdown     enable ascii "shutdown" command
-l, --listen=<addr>       interface to listen on (default: loopback)
-d, --daemon              run as a daemon
-r, --enable-coredumps    maximize core file limit
-u, --user=<user>         assume identity of <username> (only when run as root)
-m, --memory-limit=<num>  at most so many megabytes for items (default: what
                          the machine can spare)
-M, --disable-evictions   accepted, without effect: items can always vanish
-c, --conn-limit=<num>    max simultaneous connections (default: 1024)
-k, --lock-memory         lock down all memory except that of items
-v, --verbose             verbose (-vv: more)
-h, --help                print this help and exit
-i, --license             print the license and exit
-V, --version             print version and exit
-P, --pidfile=<file>      save PID in <file>
-f, -n, -L, -D, -W        accepted, without effect
-t, --threads=<num>       number of threads to use (default: 4)
-R, --max-reqs-per-event=<num> requests of one connection before others have
                          their turn (default: 20)
-C, --disable-cas         disable use of CAS
-b, --listen-backlog=<num> set the backlog queue limit (default: 1024)
-B, --protocol=<name>     protocol - one of ascii, binary, or auto (default)
-I, --max-item-size=<num> adjusts max item size
                          (default: 1m, min: 1k, max: 128m)
-F, --disable-flush-all   disable flush_all command
-X, --disable-dumping     disable stats cachedump and lru_crawler metadump
-Y, --auth-file=<file>    enable authentication; lines of user:pass
-o, --extended=<options>  comma separated list of extended options:
   - idle_timeout:        seconds until idle connections are closed (default: 0,
                          never)
   - maxconns_fast:       refuse connections beyond the limit at once (default);
                          no_maxconns_fast lets them wait
   - crsh:                another UNIX socket, for ccache as a storage helper
   - fixed_memory:        keep to -m, even while other programs need memory
   - memcached's options for slabs, LRU and buffers are accepted, without effect
)";
}

}  // namespace tmm::caches
