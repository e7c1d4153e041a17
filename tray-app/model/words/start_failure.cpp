// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// start_failure.hpp
#include "tray-app/model/words/start_failure.hpp"

#include <QCoreApplication>

#include "tray-app/model/words/names.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(StartFailure)
};

}  // namespace

QString explain(const QString& path, const StartFailure& failure) {
    const QString name = visible_name(path.section(u'/', -1));
    switch (failure.cause) {
        case StartFailure::Cause::no_program:
            return Words::tr("“%1” is not a program that you may run.").arg(name);
        case StartFailure::Cause::no_launcher:
            return Words::tr(
                       "“%1” was not started, because maketransparent is not installed. An administrator can install it with: "
                       "apt install maketransparent")
                .arg(name);
        case StartFailure::Cause::launcher_failed:
            return Words::tr("“%1” was not started. The reason: %2").arg(name, visible_sentence(failure.message));
        case StartFailure::Cause::ended:
            break;
    }
    return Words::tr(
               "“%1” ended with exit status %2. If it needs arguments, start it in a terminal: maketransparent PROGRAM "
               "ARGUMENTS")
        .arg(name)
        .arg(failure.status);
}

}  // namespace tmm::tray
