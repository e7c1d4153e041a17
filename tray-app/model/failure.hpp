// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a refused request means, in plain words. Pure.
#pragma once

#include <QString>

namespace tmm::tray {

// What the owner asked the daemon for.
enum class Request { start_service, pause, resume, set_on, set_caps, contribution };

struct Failure {
    QString error;    // D-Bus name of the error; empty: none, the request was carried out
    QString message;  // the daemon's words, in English

    explicit operator bool() const { return !error.isEmpty(); }
};

// What did not happen, why, and what to do. The daemon's words are only in it where they tell more. Plain text.
QString explain(Request request, const Failure& failure);

}  // namespace tmm::tray
