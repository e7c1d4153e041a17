// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Thumbnails in soft memory: rendered when they are shown, and kept until somebody else needs the memory. The program scrolls
// through a folder of pictures (binary PPM and PGM) and prints at the end how often it had to render one.

#include <getopt.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "softlib/pool.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Pixels of three bytes. Trivially copyable, so soft memory holds it as it is.
constexpr std::size_t side = 64;
using Thumbnail = std::array<std::uint8_t, side * side * 3>;

struct Picture {
    std::size_t width = 0;
    std::size_t height = 0;
    std::size_t channels = 0;
    std::vector<char> samples;
};

std::size_t header_number(std::istream& in, const std::string& what, std::size_t largest) {
    while ((in >> std::ws).peek() == '#') {
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    std::size_t number = 0;
    if (!(in >> number) || number == 0 || number > largest) {
        throw std::runtime_error("has no " + what + " from 1 to " + std::to_string(largest) + " in its header");
    }
    return number;
}

Picture read_picture(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 2> kind{};
    if (!in.read(kind.data(), kind.size()) || kind[0] != 'P' || (kind[1] != '5' && kind[1] != '6')) {
        throw std::runtime_error("cannot be read as binary PGM (P5) or PPM (P6)");
    }
    Picture picture;
    picture.channels = kind[1] == '6' ? 3 : 1;
    picture.width = header_number(in, "width", 65535);
    picture.height = header_number(in, "height", 65535);
    header_number(in, "largest sample", 255);
    in.get();
    // Checks the file's size first: a broken header may promise more than there is memory.
    const std::size_t bytes = picture.width * picture.height * picture.channels;
    if (fs::file_size(path) >= bytes) {
        picture.samples.resize(bytes);
    }
    if (picture.samples.empty() || !in.read(picture.samples.data(), static_cast<std::streamsize>(bytes))) {
        throw std::runtime_error("is too short for the size in its header");
    }
    return picture;
}

/// Box filter: each pixel is the mean of the pixels that it stands for.
Thumbnail scale(const Picture& picture) {
    Thumbnail thumbnail{};
    for (std::size_t i = 0; i < thumbnail.size(); ++i) {
        const std::size_t left = i / 3 % side * picture.width / side;
        const std::size_t right = std::max((i / 3 % side + 1) * picture.width / side, left + 1);
        const std::size_t top = i / 3 / side * picture.height / side;
        const std::size_t bottom = std::max((i / 3 / side + 1) * picture.height / side, top + 1);
        std::size_t sum = 0;
        for (std::size_t y = top; y < bottom; ++y) {
            for (std::size_t x = left; x < right; ++x) {
                const std::size_t at = (y * picture.width + x) * picture.channels + i % 3 % picture.channels;
                sum += static_cast<std::uint8_t>(picture.samples[at]);
            }
        }
        thumbnail[i] = static_cast<std::uint8_t>(sum / ((right - left) * (bottom - top)));
    }
    return thumbnail;
}

/// Reconstructors run in the thread that reads: a program with several threads needs atomic counters here.
struct Renderer {
    std::size_t rendered = 0;
    std::chrono::duration<double, std::milli> took{0};

    Thumbnail render(const fs::path& path) {
        const auto start = Clock::now();
        const Thumbnail thumbnail = scale(read_picture(path));
        took += Clock::now() - start;
        ++rendered;
        return thumbnail;
    }
};

std::vector<fs::path> pictures_in(const fs::path& folder) {
    std::vector<fs::path> pictures;
    for (const auto& file : fs::directory_iterator(folder)) {
        if (file.path().extension() == ".ppm" || file.path().extension() == ".pgm") {
            pictures.push_back(file.path());
        }
    }
    std::sort(pictures.begin(), pictures.end());
    return pictures;
}

/// Down to the end, up again, and then here and there, each time with the neighbours. The same at each run.
std::vector<std::size_t> scroll(std::size_t pictures) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < 2 * pictures; ++i) {
        places.push_back(i < pictures ? i : 2 * pictures - 1 - i);
    }
    std::minstd_rand random;
    for (std::size_t jump = 0; jump < pictures; ++jump) {
        const std::size_t to = random() % pictures;
        for (std::size_t i = 0; i < 4; ++i) {
            places.push_back((to + i) % pictures);
        }
    }
    return places;
}

struct Shown {
    std::size_t thumbnails = 0;
    std::set<std::size_t> skipped;
    std::uint64_t checksum = 0;
};

Shown browse(const std::vector<fs::path>& pictures, const std::function<Thumbnail(std::size_t)>& thumbnail_of) {
    Shown shown;
    for (const std::size_t place : scroll(pictures.size())) {
        if (shown.skipped.contains(place)) {
            continue;
        }
        try {
            for (const std::uint8_t byte : thumbnail_of(place)) {
                shown.checksum = (shown.checksum ^ byte) * 0x100'0000'01b3;
            }
            ++shown.thumbnails;
        } catch (const std::exception& error) {
            // A reconstructor's exception reaches the reader; the object stays sound, and could be tried again.
            std::fprintf(stderr, "softlib-thumbnails: %s %s; it is skipped\n", pictures[place].c_str(), error.what());
            shown.skipped.insert(place);
        }
    }
    return shown;
}

Shown browse_softly(const std::vector<fs::path>& pictures, Renderer& renderer, double lose) {
    // A heap of its own, because only this one is to lose pages. Other programs use soft::heap::process(), which follows the
    // machine's free memory.
    soft::heap heap({.limit_bytes = std::size_t{256} << 20});
    soft::pool<Thumbnail, fs::path> pool(heap, "thumbnails", [&](const fs::path& path) { return renderer.render(path); });
    std::vector<soft::unique_ptr<Thumbnail, fs::path>> thumbnails;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        thumbnails.push_back(pool.make());
    }
    std::size_t reads = 0;
    return browse(pictures, [&](std::size_t place) {
        if (lose > 0 && ++reads % 16 == 0) {
            heap.seal();
            heap.lose_pages(lose, reads);
        }
        return thumbnails[place].read(pictures[place]);
    });
}

int run(const fs::path& folder, bool softly, double lose) {
    const std::vector<fs::path> pictures = pictures_in(folder);
    Renderer renderer;
    const Shown shown = softly ? browse_softly(pictures, renderer, lose)
                               : browse(pictures, [&](std::size_t at) { return renderer.render(pictures[at]); });
    if (shown.thumbnails == 0) {
        throw std::runtime_error(folder.string() + " has no picture (*.ppm, *.pgm) that can be read");
    }
    const auto spared = static_cast<double>(shown.thumbnails - renderer.rendered);
    std::printf("shown: %zu\nskipped: %zu\nrendered: %zu\n", shown.thumbnails, shown.skipped.size(), renderer.rendered);
    std::printf("saved: %.1f ms\n", spared * renderer.took.count() / static_cast<double>(renderer.rendered));
    std::printf("checksum: %016jx\n", static_cast<std::uintmax_t>(shown.checksum));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    static const option options[] = {{"no-softlib", no_argument, nullptr, 'n'}, {"lose", required_argument, nullptr, 'l'}, {}};
    bool softly = true;
    bool usable = true;
    double lose = 0;
    for (int given = 0; (given = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        char* end = nullptr;
        softly = softly && given != 'n';
        lose = given == 'l' ? std::strtod(optarg, &end) : lose;
        usable = usable && given != '?' && (given != 'l' || (end != optarg && *end == '\0' && lose >= 0 && lose <= 1));
    }
    if (!usable || optind + 1 != argc) {
        std::fprintf(stderr, "Usage: softlib-thumbnails [--no-softlib] [--lose PROBABILITY, 0 to 1] FOLDER\n");
        return 2;
    }
    try {
        return run(argv[optind], softly, lose);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-thumbnails: %s\n", error.what());
        return 1;
    }
}
