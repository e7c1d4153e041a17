// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A task for a real BOINC client: keeps MEGABYTES of memory in use for SECONDS of its processor's time, and writes a checkpoint
// whenever the client lets it. It goes on from its checkpoint. Its stderr, a file in its slot, tells each checkpoint and each
// beginning. Usage: memory_task MEGABYTES SECONDS
#include <boinc/boinc_api.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    const std::size_t bytes = std::strtoul(argv[1], nullptr, 10) << 20;
    const long seconds = std::strtol(argv[2], nullptr, 10);
    boinc_init();
    long done = 0;
    if (FILE* saved = std::fopen("checkpoint", "r")) {
        if (std::fscanf(saved, "%ld", &done) != 1)
            done = 0;
        std::fclose(saved);
    }
    std::fprintf(stderr, "%s MB begins at %ld\n", argv[1], done);
    std::vector<char> memory(bytes);
    for (; done < 10 * seconds; ++done) {
        // Each page anew: so it stays in memory, and the task has used its processor.
        for (std::size_t i = 0; i < bytes; i += 4096)
            memory[i] = static_cast<char>(done);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        boinc_fraction_done(static_cast<double>(done) / static_cast<double>(10 * seconds));
        if (boinc_time_to_checkpoint()) {
            // A kill leaves the old one or the new one.
            if (FILE* file = std::fopen("checkpoint.new", "w")) {
                std::fprintf(file, "%ld\n", done);
                if (std::fclose(file) == 0 && std::rename("checkpoint.new", "checkpoint") == 0)
                    std::fprintf(stderr, "%s MB saves %ld\n", argv[1], done);
            }
            boinc_checkpoint_completed();
        }
    }
    boinc_finish(0);
}
