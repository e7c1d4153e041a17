// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a fuzz target without libFuzzer: over the files of a corpus, and over random mutants of each, which are the same at each
// run. It finds few new bugs; it keeps the targets working and mended bugs mended. Usage: PROGRAM DIRECTORY MUTANTS_OF_EACH
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace {

constexpr int max_changes = 4;

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> read_corpus(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(directory))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> corpus;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return corpus;
}

class Mutator {
public:
    explicit Mutator(const std::vector<Bytes>& corpus) : corpus_(corpus) {}

    Bytes mutant_of(Bytes bytes) {
        const std::uint64_t nr_changes = 1 + below(max_changes);
        for (std::uint64_t change = 0; change < nr_changes; ++change)
            mutate(bytes);
        return bytes;
    }

private:
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
    std::ptrdiff_t place_in(const Bytes& bytes) { return static_cast<std::ptrdiff_t>(below(bytes.size() + 1)); }

    void mutate(Bytes& bytes) {
        const auto place = place_in(bytes);
        switch (below(5)) {
            case 0:  // change a byte
                if (!bytes.empty())
                    bytes[below(bytes.size())] = static_cast<std::uint8_t>(random_());
                break;
            case 1:  // cut the end off
                bytes.resize(static_cast<std::size_t>(place));
                break;
            case 2: {  // remove a piece
                const auto end = std::min<std::ptrdiff_t>(place + static_cast<std::ptrdiff_t>(below(16)), std::ssize(bytes));
                bytes.erase(bytes.begin() + place, bytes.begin() + end);
                break;
            }
            case 3: {  // insert a text that is hard for parsers
                static const std::vector<std::string> words{
                    "0", "-1", "18446744073709551616", "1e400", ",", ",,", "\n", "\r\n", " ", "#", "nan", "="};
                const std::string& word = words[below(words.size())];
                bytes.insert(bytes.begin() + place, word.begin(), word.end());
                break;
            }
            default: {  // append the rest of another file
                const Bytes& other = corpus_[below(corpus_.size())];
                bytes.resize(static_cast<std::size_t>(place));
                bytes.insert(bytes.end(), other.begin() + place_in(other), other.end());
                break;
            }
        }
    }

    const std::vector<Bytes>& corpus_;
    std::mt19937_64 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s DIRECTORY MUTANTS_OF_EACH\n", argv[0]);
        return 2;
    }
    const std::vector<Bytes> corpus = read_corpus(argv[1]);
    if (corpus.empty()) {
        std::fprintf(stderr, "%s: no files\n", argv[1]);
        return 1;
    }
    const int mutants_of_each = std::atoi(argv[2]);
    Mutator mutator(corpus);
    for (const Bytes& bytes : corpus) {
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        for (int mutant = 0; mutant < mutants_of_each; ++mutant) {
            const Bytes input = mutator.mutant_of(bytes);
            LLVMFuzzerTestOneInput(input.data(), input.size());
        }
    }
    return 0;
}
