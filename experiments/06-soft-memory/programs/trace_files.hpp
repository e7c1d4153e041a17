// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the traces in the folder that experiments/traces/fetch prints.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "trace.hpp"

namespace tmm::soft_memory {

struct TraceFiles {
    // Throws std::runtime_error if one cannot be read.
    explicit TraceFiles(const std::string& folder)
        : twitter(parse_twitter(text_of(folder + "/twitter_cluster52.csv"))),
          cloud_physics(parse_cloud_physics(text_of(folder + "/cloudPhysicsIO.csv"))) {}

    Trace twitter;
    Trace cloud_physics;

private:
    static std::string text_of(const std::string& path) {
        std::ifstream file(path);
        std::string text(std::istreambuf_iterator<char>(file), {});
        if (text.empty())
            throw std::runtime_error("cannot read " + path);
        return text;
    }
};

}  // namespace tmm::soft_memory
