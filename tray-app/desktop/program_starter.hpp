// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProgramStarter: starts programs as contributions by maketransparent(1), in the user's home directory. They outlive this object
// and tmm-tray. Never blocks. Use it from the thread of the event loop only.
#pragma once

#include <QObject>
#include <QString>

#include "tray-app/model/words/start_failure.hpp"

namespace tmm::tray {

class ProgramStarter : public QObject {
    Q_OBJECT

public:
    explicit ProgramStarter(QObject* parent = nullptr);

    // path: absolute path of an executable file. failed() reports a start that failed, and a program that ended with an error.
    void start(const QString& path);

Q_SIGNALS:
    void failed(const QString& path, const tmm::tray::StartFailure& failure);

private:
    void on_ended(const QString& path, int status);
    void ask_why(const QString& path);
};

}  // namespace tmm::tray
