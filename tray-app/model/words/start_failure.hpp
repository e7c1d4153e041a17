// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explains why a program that the user chose does not run as a contribution. Pure; any thread.
#pragma once

#include <QString>

namespace tmm::tray {

struct StartFailure {
    enum class Cause {
        no_program,       // the user may not execute the file
        no_launcher,      // maketransparent cannot be executed
        launcher_failed,  // message: the last line that maketransparent wrote
        ended,            // the program ended; status: its exit status
    };

    Cause cause = Cause::no_program;
    QString message;
    int status = 0;
};

// Returns plain text: the cause, and the way out. path: of the program.
QString explain(const QString& path, const StartFailure& failure);

}  // namespace tmm::tray
