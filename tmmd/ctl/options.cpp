// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/options.hpp"

#include <getopt.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/units.hpp"
#include "tmmd/ctl/text/when.hpp"

namespace tmm::ctl {

namespace {

enum Letter { opt_json = 256, opt_csv, opt_max, opt_idle, opt_mains, opt_quiet_hours, opt_none, opt_version };

// '-': getopt_long() returns words in their order, so that options may stand before and after the command. ':': it returns ':'
// for a missing value.
constexpr const char* short_options = "-:qn:d:h";

constexpr std::uint64_t max_soft_weight = 10'000;

constexpr option long_options[] = {
    {"json", no_argument, nullptr, opt_json},
    {"csv", no_argument, nullptr, opt_csv},
    {"quiet", no_argument, nullptr, 'q'},
    {"count", required_argument, nullptr, 'n'},
    {"delay", required_argument, nullptr, 'd'},
    {"max", required_argument, nullptr, opt_max},
    {"only-when-idle", optional_argument, nullptr, opt_idle},
    {"only-on-mains", optional_argument, nullptr, opt_mains},
    {"quiet-hours", required_argument, nullptr, opt_quiet_hours},
    {"none", no_argument, nullptr, opt_none},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, opt_version},
    {nullptr, 0, nullptr, 0},
};

using Letters = std::array<int, 5>;  // of options that a command takes; 0: none

struct CommandWord {
    std::string_view word;
    Command command;
    Letters letters;
};

constexpr std::array<CommandWord, 14> commands{{
    {"status", Command::status, {opt_json, 'q'}},
    {"top", Command::top, {opt_json, 'n', 'd'}},
    {"watch", Command::watch, {opt_json}},
    {"pause", Command::pause, {opt_json}},
    {"resume", Command::resume, {opt_json}},
    {"stop", Command::stop, {opt_json}},
    {"off", Command::off, {opt_json}},
    {"on", Command::on, {opt_json}},
    {"limit", Command::limit, {opt_json, opt_max, opt_idle, opt_mains, opt_quiet_hours}},
    {"doctor", Command::doctor, {opt_json}},
    {"history", Command::history, {opt_json, opt_csv}},
    {"explain", Command::explain, {opt_json, 'n'}},
    {"soft", Command::soft, {opt_json}},
    {"boinc", Command::boinc, {opt_json}},
}};

Error wrong(const std::string& what) {
    return {EINVAL, what};
}

std::string name_of(int letter) {
    for (const option& known : long_options) {
        if (known.name != nullptr && known.val == letter)
            return "--" + std::string(known.name);
    }
    return "?";
}

Result<void> take_max(std::string_view text, wire::CapsChange& caps) {
    if (text == "none") {
        caps.max_bytes = wire::no_limit;
        caps.max_percent = wire::all_percent;
        return {};
    }
    if (text.ends_with('%')) {
        const auto percent = parse_double(text.substr(0, text.size() - 1));
        if (!percent || *percent < 0 || *percent > 100)
            return wrong("'" + std::string(text) + "' is no share: write 0% to 100%");
        caps.max_percent = *percent;
        return {};
    }
    const auto bytes = parse_bytes(text);
    if (!bytes)
        return wrong("'" + std::string(text) + "' is no size: write a number with K, M, G, T or %, or none");
    caps.max_bytes = *bytes;
    return {};
}

Result<void> take_flag(int letter, const char* value, std::optional<bool>& flag) {
    const auto wanted = value != nullptr ? parse_bool(value) : Result<bool>(true);
    if (!wanted)
        return wrong(name_of(letter) + ": " + wanted.error().message());
    flag = *wanted;
    return {};
}

Result<void> take_number(int letter, const char* value, Options& options) {
    if (letter == 'n') {
        const auto count = parse_uint(value);
        if (!count || *count == 0 || *count > 1'000'000'000)
            return wrong("--count: '" + std::string(value) + "' is not a whole number from 1");
        options.count = static_cast<std::uint32_t>(*count);
        return {};
    }
    const auto seconds = parse_double(value);
    if (!seconds || *seconds < 0.1 || *seconds > 86400)
        return wrong("--delay: '" + std::string(value) + "' is not a number of seconds from 0.1 to 86400");
    options.delay = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
    return {};
}

Result<void> take_option(int letter, const char* value, Options& options) {
    switch (letter) {
        case opt_json:
            options.json = true;
            return {};
        case opt_csv:
            options.csv = true;
            return {};
        case 'q':
            options.quiet = true;
            return {};
        case opt_max:
            return take_max(value, options.caps);
        case opt_idle:
            return take_flag(letter, value, options.caps.only_when_idle);
        case opt_mains:
            return take_flag(letter, value, options.caps.only_on_mains);
        case opt_quiet_hours: {
            const bool none = std::string_view(value) == "none";
            options.caps.quiet_hours = none ? "" : value;
            return none ? Result<void>() : check_quiet_hours(value);
        }
        case opt_none:
            options.caps = wire::CapsChange{wire::no_limit, wire::all_percent, false, false, ""};
            return {};
        default:
            return take_number(letter, value, options);
    }
}

// A pause of all has a length, that of one contribution has a name.
Result<void> take_pause(const std::vector<std::string>& words, std::time_t now, Options& options) {
    const auto pause = parse_pause(words, now);
    if (pause) {
        options.pause = *pause;
        return {};
    }
    // Neither a number without a unit, nor a length that is too long, nor several words are a name.
    const bool is_length = pause.error().code() == ERANGE || words.size() != 1 || words[0] == "until" ||
                           words[0].find_first_not_of("0123456789.") == std::string::npos;
    if (is_length)
        return pause.error();
    options.contribution = words[0];
    return {};
}

// "cap SIZE|none" or "weight USER N"
Result<void> take_soft(const std::vector<std::string>& words, Options& options) {
    if (words[0] == "cap" && words.size() == 2) {
        const auto bytes = words[1] == "none" ? Result<std::uint64_t>(wire::no_limit) : parse_bytes(words[1]);
        if (!bytes)
            return wrong("'" + words[1] + "' is no size: write a number with K, M, G or T, or none");
        options.soft_max_bytes = *bytes;
        return {};
    }
    if (words[0] == "weight" && words.size() == 3) {
        const auto weight = parse_uint(words[2]);
        if (!weight || *weight == 0 || *weight > max_soft_weight)
            return wrong("'" + words[2] + "' is no weight: write a number from 1 to 10000; 100 is usual");
        options.soft_weight = {words[1], static_cast<std::uint32_t>(*weight)};
        return {};
    }
    return wrong("soft takes 'cap SIZE', 'cap none' or 'weight USER N'");
}

Result<void> take_operands(const std::vector<std::string>& words, std::time_t now, Options& options) {
    if (options.command == Command::pause)
        return take_pause(words, now, options);
    if (options.command == Command::stop && words.empty())
        return wrong("stop which contribution? 'tmmctl status' shows their names");
    if ((options.command == Command::resume || options.command == Command::stop) && words.size() == 1) {
        options.contribution = words[0];
        return {};
    }
    if (options.command == Command::history && words.size() == 1) {
        if (words[0] != "minutes" && words[0] != "hours" && words[0] != "days")
            return wrong("'" + words[0] + "' is none of minutes, hours and days");
        options.resolution = words[0];
        return {};
    }
    if (options.command == Command::soft && !words.empty())
        return take_soft(words, options);
    if (!words.empty())
        return wrong("unexpected argument '" + words[0] + "'");
    return {};
}

bool takes(const CommandWord& command, int letter) {
    return std::find(command.letters.begin(), command.letters.end(), letter == opt_none ? opt_max : letter) !=
           command.letters.end();
}

Result<const CommandWord*> find_command(const std::vector<std::string>& words) {
    if (words.empty())
        return commands.data();
    const auto* const found =
        std::find_if(commands.begin(), commands.end(), [&](const CommandWord& c) { return c.word == words[0]; });
    if (found == commands.end())
        return wrong("there is no command '" + words[0] + "'");
    return found;
}

// A maximum of one kind replaces an earlier one of the other kind, too.
void complete(wire::CapsChange& caps) {
    if (caps.max_bytes && !caps.max_percent)
        caps.max_percent = wire::all_percent;
    else if (caps.max_percent && !caps.max_bytes)
        caps.max_bytes = wire::no_limit;
}

}  // namespace

Result<Options> parse_options(int argc, char* const argv[], std::time_t now) {
    Options options;
    std::vector<std::string> words;
    std::vector<int> letters;
    ::optind = 0;  // start again: tests call this more than once
    ::opterr = 0;
    for (;;) {
        const int position = ::optind == 0 ? 1 : ::optind;
        const int letter = ::getopt_long(argc, argv, short_options, long_options, nullptr);
        if (letter == -1)
            break;
        if (letter == 1) {
            words.emplace_back(::optarg);
            continue;
        }
        if (letter == 'h' || letter == opt_version) {
            options.command = letter == 'h' ? Command::help : Command::version;
            return options;
        }
        if (letter == ':')
            return wrong("option '" + std::string(argv[position]) + "' needs a value");
        if (letter == '?')
            return wrong("'" + std::string(argv[position]) + "' is unknown, ambiguous or takes no value");
        const auto taken = take_option(letter, ::optarg, options);
        if (!taken)
            return taken.error();
        letters.push_back(letter);
    }
    words.insert(words.end(), argv + ::optind, argv + argc);  // the words after "--"
    const auto command = find_command(words);
    if (!command)
        return command.error();
    options.command = (*command)->command;
    for (const int letter : letters) {
        if (!takes(**command, letter))
            return wrong(name_of(letter) + " does not go with '" + std::string((*command)->word) + "'");
    }
    if (options.json && options.csv)
        return wrong("--json and --csv exclude each other");
    if (!words.empty())
        words.erase(words.begin());
    complete(options.caps);
    const auto taken = take_operands(words, now, options);
    if (!taken)
        return taken.error();
    return options;
}

std::string usage() {
    return "Usage: tmmctl [COMMAND] [OPTION]...\n"
           "Shows and controls what tmmd gives to contributions.\n"
           "\n"
           "  status               show what is given, its cost and the reason (default)\n"
           "  top                  show contributions and the biggest processes, repeatedly\n"
           "  watch                print a line for each change\n"
           "  pause [DURATION]     freeze contributions: 30min, 1h30min, until 07:00, tomorrow; default: until resume\n"
           "  pause NAME           freeze one contribution until 'tmmctl resume NAME'\n"
           "  resume [NAME]        end a pause, of all or of one contribution\n"
           "  stop NAME            end the programs of one contribution\n"
           "  off                  give nothing until 'tmmctl on', restarts included\n"
           "  on                   end off\n"
           "  limit                show or set the conditions for giving memory\n"
           "  doctor               check what TMM needs\n"
           "  history [PERIOD]     show how memory was used: minutes, hours (default) or days\n"
           "  explain              show the last decisions with their reasons\n"
           "  soft                 show which programs have soft memory, and what more would gain\n"
           "  soft cap SIZE|none   bound the soft memory of all programs together\n"
           "  soft weight USER N   give a user more or less of it; 100 is usual\n"
           "  boinc                show the tasks of BOINC, why they stand still, and science by day\n"
           "\n"
           "      --json                     print JSON: one object, or one a line for top and watch\n"
           "      --csv                      history: print a table with commas\n"
           "  -q, --quiet                    status: print nothing; the exit status is the state\n"
           "  -n, --count=N                  top: end after N updates; explain: show N decisions\n"
           "  -d, --delay=SECONDS            top: time between two updates; default 2\n"
           "      --max=SIZE|PERCENT%|none   limit: give at most this much\n"
           "      --only-when-idle[=yes|no]  limit: give only while nobody uses the machine\n"
           "      --only-on-mains[=yes|no]   limit: give only while the machine is not on battery\n"
           "      --quiet-hours=FROM-TO      limit: give nothing between these times, such as 22:00-07:00, or none\n"
           "      --none                     limit: remove all conditions\n"
           "  -h, --help                     show this help\n"
           "      --version                  show the version\n"
           "\n"
           "Exit status: 0 success; 1 an error, or the command was denied; 2 wrong usage; 3 tmmd does not run, for boinc "
           "tmm-boinc.\n";
}

}  // namespace tmm::ctl
