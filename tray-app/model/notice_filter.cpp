// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// notice_filter.hpp
#include "tray-app/model/notice_filter.hpp"

#include <QCoreApplication>

#include "tray-app/model/words/reason_text.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Notice)
};

constexpr int min_interval_s = 15 * 60;
constexpr int max_per_hour = 4;

}  // namespace

std::optional<Notification> NoticeFilter::on_notice(const QString& kind, const QString& text, const QString& code,
                                                    const QDateTime& now) {
    if (kind == u"trouble"_s) {
        auto shown = admit(
            {kind, Words::tr("Memory cannot be given at the moment"), trouble_sentence(code, text), u"tmm-tray-trouble"_s}, now);
        trouble_shown_ = trouble_shown_ || shown;
        return shown;
    }
    if (kind == u"pressure"_s)
        return admit(
            {kind, Words::tr("Contributions are on hold"), Words::tr("Your programs need the memory."), u"tmm-tray-paused"_s},
            now);
    // The end of trouble matters only to a user who saw its notification.
    if (kind == u"works-again"_s && trouble_shown_) {
        trouble_shown_ = false;
        return Notification{u"trouble"_s, Words::tr("Memory can be given again"), {}, u"tmm-tray-giving"_s};
    }
    return {};
}

std::optional<Notification> NoticeFilter::on_daemon_lost(const QString& last_source, const QDateTime& now) {
    return admit(
        {u"daemon"_s, Words::tr("The service is not running any more"), guard_sentence(last_source), u"tmm-tray-trouble"_s}, now);
}

std::optional<Notification> NoticeFilter::admit(Notification notification, const QDateTime& now) {
    const QDateTime last = last_of_kind_.value(notification.kind);
    if (last.isValid() && last.secsTo(now) < min_interval_s)
        return {};
    shown_.removeIf([&](const QDateTime& time) { return time.secsTo(now) >= 3600; });
    if (shown_.size() >= max_per_hour)
        return {};
    shown_ << now;
    last_of_kind_.insert(notification.kind, now);
    return notification;
}

}  // namespace tmm::tray
