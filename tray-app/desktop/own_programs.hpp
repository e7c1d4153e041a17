// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnPrograms: the programs of the user that systemd runs in cgroups of their own, and their exceptions
// (base/cgroups/exceptions). It acts with the user's own rights, so that it reaches nobody else's. Each call reads the cgroups
// anew. Use it from one thread.
#pragma once

#include <QList>
#include <QString>

#include "tray-app/model/values/own_program.hpp"

namespace tmm::tray {

class OwnPrograms {
public:
    static constexpr int max_programs = 256;

    // directory: the cgroup of the user's systemd.
    explicit OwnPrograms(QString directory) : directory_(std::move(directory)) {}
    static OwnPrograms of_session();

    // The largest first; at most max_programs. Empty also where the desktop puts all programs into one cgroup.
    [[nodiscard]] QList<OwnProgram> list() const;

    // Returns why it could not be done, in the system's words; empty: it is done.
    [[nodiscard]] static QString set_exception(const OwnProgram& program, bool on);

private:
    QString directory_;
};

}  // namespace tmm::tray
