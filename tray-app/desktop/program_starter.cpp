// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// program_starter.hpp
#include "tray-app/desktop/program_starter.hpp"

#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QProcess>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString launcher = u"maketransparent"_s;

// Of maketransparent itself. A program may have it too.
constexpr int launcher_failed_status = 125;

QString last_line(const QByteArray& text) {
    return QString::fromLocal8Bit(text).trimmed().section(u'\n', -1);
}

}  // namespace

ProgramStarter::ProgramStarter(QObject* parent) : QObject(parent) {}

void ProgramStarter::start(const QString& path) {
    const QFileInfo file(path);
    if (!file.isFile() || !file.isExecutable()) {
        Q_EMIT failed(path, {StartFailure::Cause::no_program, {}, 0});
        return;
    }
    // Without a parent, since ~QProcess() would kill the program.
    auto* process = new QProcess;
    process->setStandardInputFile(QProcess::nullDevice());
    // A pipe would break when tmm-tray ends.
    process->setProcessChannelMode(QProcess::ForwardedChannels);
    process->setWorkingDirectory(QDir::homePath());
    // The keys of a terminal that runs tmm-tray are not for the program.
    process->setChildProcessModifier([] { ::setsid(); });
    connect(process, &QProcess::errorOccurred, this, [this, path](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(path, {StartFailure::Cause::no_launcher, {}, 0});
    });
    connect(process, &QProcess::finished, this, [this, path](int status, QProcess::ExitStatus how) {
        if (how == QProcess::NormalExit && status != 0)
            on_ended(path, status);
    });
    connect(process, &QProcess::errorOccurred, process, [process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            process->deleteLater();
    });
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->start(launcher, {u"--"_s, path});
}

void ProgramStarter::on_ended(const QString& path, int status) {
    if (status == launcher_failed_status)
        ask_why(path);
    else
        Q_EMIT failed(path, {StartFailure::Cause::ended, {}, status});
}

// The program's own messages went elsewhere, and those of maketransparent with them. It fails in the same way with a program that
// does nothing.
void ProgramStarter::ask_why(const QString& path) {
    auto* process = new QProcess(this);
    process->setStandardInputFile(QProcess::nullDevice());
    connect(process, &QProcess::finished, this, [this, path, process](int status) {
        process->deleteLater();
        if (status == 0)
            Q_EMIT failed(path, {StartFailure::Cause::ended, {}, launcher_failed_status});
        else
            Q_EMIT failed(path, {StartFailure::Cause::launcher_failed, last_line(process->readAllStandardError()), 0});
    });
    process->start(launcher, {u"--"_s, u"true"_s});
}

}  // namespace tmm::tray
