// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// own_programs.hpp
#include "tray-app/desktop/own_programs.hpp"

#include <unistd.h>

#include <QDir>
#include <algorithm>

#include "base/cgroups/exceptions.hpp"
#include "base/cgroups/transparent_class.hpp"
#include "base/root_dir.hpp"
#include "base/units.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString slice = QString::fromLatin1(tmm::transparent_slice.data(), tmm::transparent_slice.size());

Exception exception_of(bool is_contribution) {
    return is_contribution ? Exception::never_freeze : Exception::never_count;
}

// Adds the programs of a slice. The desktop itself, in session.slice, is no program that a person starts.
void add_programs(const QString& directory, bool transparent, QList<OwnProgram>& programs) {
    const QDir::Filters filters = QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks;
    for (const QString& unit : QDir(directory).entryList(filters, QDir::Name)) {
        const QString path = directory + u'/' + unit;
        const auto cgroup = RootDir::open(path.toStdString());
        if (!cgroup || programs.size() == OwnPrograms::max_programs)
            continue;
        const bool is_contribution = transparent || unit == slice || has_transparent_attribute(*cgroup);
        if (unit.endsWith(u".slice"_s)) {
            if (unit != u"session.slice"_s)
                add_programs(path, is_contribution, programs);
            continue;
        }
        const bool is_unit = unit.endsWith(u".scope"_s) || unit.endsWith(u".service"_s);
        const auto text = cgroup->read_file("memory.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if ((is_unit || is_contribution) && bytes && *bytes > 0)
            programs.append({path, application_name(unit), *bytes, is_contribution,
                             tmm::has_exception(*cgroup, exception_of(is_contribution))});
    }
}

}  // namespace

OwnPrograms OwnPrograms::of_session() {
    const QString user = QString::number(::getuid());
    return OwnPrograms(u"/sys/fs/cgroup/user.slice/user-%1.slice/user@%1.service"_s.arg(user));
}

QList<OwnProgram> OwnPrograms::list() const {
    QList<OwnProgram> programs;
    add_programs(directory_, false, programs);
    std::stable_sort(programs.begin(), programs.end(),
                     [](const OwnProgram& one, const OwnProgram& other) { return one.memory_bytes > other.memory_bytes; });
    return programs;
}

QString OwnPrograms::set_exception(const OwnProgram& program, bool on) {
    const auto cgroup = RootDir::open(program.directory.toStdString());
    const auto set =
        cgroup ? tmm::set_exception(*cgroup, exception_of(program.is_contribution), on) : Result<void>(cgroup.error());
    return set ? QString() : QString::fromStdString(set.error().message());
}

}  // namespace tmm::tray
