// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/presence/owner_presence.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

constexpr std::string_view ps2_controller = "i8042";
constexpr std::string_view usb_devices = "sys/bus/usb/devices/";
constexpr std::array i2c_drivers{"sys/bus/i2c/drivers/i2c_hid", "sys/bus/i2c/drivers/i2c_hid_acpi",
                                 "sys/bus/i2c/drivers/i2c_hid_of"};
constexpr std::string_view i2c_prefix = "i2c-";

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::vector<std::string> names_in(const RootDir& root, std::string_view path) {
    auto names = root.list_names(path);
    return names ? *std::move(names) : std::vector<std::string>();
}

// Adds the time of the last input at each terminal, like w(1): the kernel moves a terminal's access time on input.
void add_terminals(const RootDir& root, InputCounters& counters) {
    const auto add = [&](const std::string& path) {
        struct stat status {};
        if (::fstatat(root.fd(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
            counters[path] = static_cast<std::uint64_t>(status.st_atim.tv_sec);
    };
    for (const std::string& name : names_in(root, "dev")) {
        if (name.starts_with("tty") && all_digits(std::string_view(name).substr(3)))
            add("dev/" + name);
    }
    for (const std::string& name : names_in(root, "dev/pts")) {
        if (all_digits(name))
            add("dev/pts/" + name);
    }
}

// Touch pads on I2C interrupt under the name of their device.
std::vector<std::string> i2c_devices(const RootDir& root) {
    std::vector<std::string> names;
    for (const char* driver : i2c_drivers) {
        for (const std::string& name : names_in(root, driver)) {
            if (name.starts_with(i2c_prefix))
                names.push_back(name.substr(i2c_prefix.size()));
        }
    }
    return names;
}

// An untouched USB keyboard or mouse sends nothing, so the kernel counts no transfer of it. This leaves out a device with another
// function besides (sound, camera), because that has transfers of its own.
void add_usb(const RootDir& root, InputCounters& counters) {
    std::set<std::string> for_people;
    std::set<std::string> other;
    for (const std::string& name : names_in(root, usb_devices)) {
        const auto colon = name.find(':');
        if (colon == std::string::npos)
            continue;
        const auto attribute = [&](const char* file) {
            const auto text = root.read_file(std::string(usb_devices) + name + "/" + file, 4096);
            return text ? std::string(trim(*text)) : std::string();
        };
        const std::string device = name.substr(0, colon);
        const std::string protocol = attribute("bInterfaceProtocol");
        if (attribute("bInterfaceClass") != "03")
            other.insert(device);
        else if (protocol == "01" || protocol == "02")
            for_people.insert(device);
    }
    for (const std::string& device : for_people) {
        const std::string path = std::string(usb_devices) + device + "/urbnum";
        const auto text = root.read_file(path, 4096);
        const auto transfers = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (transfers && !other.contains(device))
            counters[path] = *transfers;
    }
}

}  // namespace

InputCounters parse_input_interrupts(std::string_view interrupts, const std::vector<std::string>& names) {
    InputCounters counters;
    while (!interrupts.empty()) {
        std::string_view line = next_line(interrupts);
        const std::string number(next_word(line));
        if (!number.ends_with(':'))
            continue;
        std::uint64_t sum = 0;
        std::string_view word = next_word(line);
        for (; all_digits(word); word = next_word(line)) {
            const auto count = parse_uint(word);
            sum += count ? *count : 0;
        }
        // "... 1-edge i8042", or several that share the interrupt: "... 1-edge i8042, i801_smbus".
        std::string_view before;
        std::string_view last = word;
        for (; !word.empty(); word = next_word(line)) {
            before = last;
            last = word;
        }
        const bool is_input = last == ps2_controller || std::find(names.begin(), names.end(), last) != names.end();
        if (is_input && !before.ends_with(','))
            counters["interrupt " + number] = sum;
    }
    return counters;
}

InputCounters OwnerPresence::read_counters() const {
    InputCounters counters;
    if (const auto interrupts = root_.read_file("proc/interrupts"))
        counters = parse_input_interrupts(*interrupts, i2c_devices(root_));
    add_usb(root_, counters);
    add_terminals(root_, counters);
    return counters;
}

std::optional<core::Seconds> OwnerPresence::idle_for(core::ElapsedTime now, core::Seconds max_age) {
    if (!last_poll_ || now - *last_poll_ >= max_age) {
        InputCounters counters = read_counters();
        for (const auto& [device, count] : counters) {
            const auto before = counters_.find(device);
            const bool is_new = before == counters_.end();
            if (is_new)
                rule_.see_arrival(now);
            else if (before->second != count)
                rule_.see_input(now);
        }
        counters_ = std::move(counters);
        last_poll_ = now;
    }
    return rule_.idle_for(now);
}

}  // namespace tmm::os
