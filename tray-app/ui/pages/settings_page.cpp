// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// settings_page.hpp
#include "tray-app/ui/pages/settings_page.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

#include "tray-app/model/values/caps.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

constexpr double gigabyte = 1ULL << 30;

QLabel* make_hint(const QString& text) {
    auto* hint = new QLabel(text);
    hint->setWordWrap(true);
    QPalette faint = hint->palette();
    faint.setColor(QPalette::WindowText, muted_text(faint));
    hint->setPalette(faint);
    return hint;
}

QHBoxLayout* in_a_row(std::initializer_list<QWidget*> widgets) {
    auto* row = new QHBoxLayout;
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    row->addStretch();
    return row;
}

}  // namespace

SettingsPage::SettingsPage(DaemonClient* client, BoincSwitch* boinc_switch, Preferences* preferences, Autostart autostart,
                           QWidget* parent)
    : QWidget(parent),
      client_(client),
      boinc_switch_(boinc_switch),
      preferences_(preferences),
      autostart_(std::move(autostart)),
      on_(new QCheckBox(tr("&Give memory to contributions"))),
      boinc_(new QCheckBox(tr("Let BOINC &use idle memory"))),
      has_max_bytes_(new QCheckBox(tr("Allow at &most"))),
      max_gigabytes_(new QDoubleSpinBox),
      has_max_percent_(new QCheckBox(tr("Allow at most this s&hare of memory"))),
      max_percent_(new QSpinBox),
      only_when_idle_(new QCheckBox(tr("Only &while nobody uses the computer"))),
      only_on_mains_(new QCheckBox(tr("Only while the computer is not on &battery"))),
      has_quiet_hours_(new QCheckBox(tr("&Quiet hours: give nothing from"))),
      quiet_from_(new QTimeEdit(QTime(22, 0))),
      quiet_to_(new QTimeEdit(QTime(7, 0))),
      start_(new QCheckBox(tr("Show the icon when I &log in"))),
      apply_(new QPushButton(tr("&Apply"))),
      revert_(new QPushButton(tr("&Revert"))) {
    limits_ = make_limits();
    boinc_box_ = make_boinc();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(limits_);
    layout->addWidget(boinc_box_);
    layout->addWidget(make_program());
    layout->addStretch();
    connect(client_, &DaemonClient::snapshot_changed, this, &SettingsPage::show_status);
    connect(client_, &DaemonClient::request_finished, this, &SettingsPage::on_finished);
    connect(boinc_switch_, &BoincSwitch::changed, this, &SettingsPage::show_boinc);
    show_caps(client_->snapshot().status.caps);
    show_status();
    show_boinc();
}

QGroupBox* SettingsPage::make_boinc() {
    auto* box = new QGroupBox(tr("BOINC, for all users of this computer"));
    auto* layout = new QVBoxLayout(box);
    layout->addWidget(boinc_);
    layout->addWidget(make_hint(tr("Its tasks then become contributions. A change needs an administrator's password.")));
    connect(boinc_, &QCheckBox::clicked, this, [this](bool on) {
        // Who switches it off here need not be asked whether to switch it on.
        if (!on)
            preferences_->set_boinc_declined();
        boinc_switch_->turn(on);
        show_boinc();
    });
    return box;
}

void SettingsPage::show_boinc() {
    const UnitFile adapter = boinc_switch_->units().adapter;
    boinc_box_->setVisible(adapter == UnitFile::enabled || adapter == UnitFile::disabled);
    boinc_->setChecked(adapter == UnitFile::enabled);
    boinc_->setEnabled(!boinc_switch_->busy());
}

QGroupBox* SettingsPage::make_limits() {
    auto* box = new QGroupBox(tr("Memory for contributions, for all users of this computer"));
    max_gigabytes_->setSuffix(tr(" GiB"));
    max_gigabytes_->setDecimals(1);
    max_gigabytes_->setRange(0.1, 1 << 20);
    max_gigabytes_->setValue(4);
    max_gigabytes_->setAccessibleName(tr("Maximum memory allowed"));
    max_percent_->setSuffix(QStringLiteral("\u00A0%"));
    max_percent_->setRange(1, 99);
    max_percent_->setValue(50);
    max_percent_->setAccessibleName(tr("Maximum share of memory allowed"));
    quiet_from_->setAccessibleName(tr("Start of the quiet hours"));
    quiet_to_->setAccessibleName(tr("End of the quiet hours"));
    auto* hint = make_hint(tr("A change may need an administrator's password."));
    auto* layout = new QVBoxLayout(box);
    layout->addWidget(on_);
    layout->addSpacing(8);
    layout->addLayout(in_a_row({has_max_bytes_, max_gigabytes_}));
    layout->addLayout(in_a_row({has_max_percent_, max_percent_}));
    layout->addWidget(only_when_idle_);
    layout->addWidget(only_on_mains_);
    layout->addLayout(in_a_row({has_quiet_hours_, quiet_from_, new QLabel(tr("to", "between two times")), quiet_to_}));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(hint, 1);
    buttons->addWidget(revert_);
    buttons->addWidget(apply_);
    layout->addLayout(buttons);
    connect(on_, &QCheckBox::clicked, client_, &DaemonClient::set_on);
    for (QCheckBox* check : {has_max_bytes_, has_max_percent_, only_when_idle_, only_on_mains_, has_quiet_hours_})
        connect(check, &QCheckBox::toggled, this, &SettingsPage::show_buttons);
    connect(max_gigabytes_, &QDoubleSpinBox::valueChanged, this, &SettingsPage::show_buttons);
    connect(max_percent_, &QSpinBox::valueChanged, this, &SettingsPage::show_buttons);
    connect(quiet_from_, &QTimeEdit::timeChanged, this, &SettingsPage::show_buttons);
    connect(quiet_to_, &QTimeEdit::timeChanged, this, &SettingsPage::show_buttons);
    connect(apply_, &QPushButton::clicked, this, &SettingsPage::apply);
    connect(revert_, &QPushButton::clicked, this, [this] { show_caps(client_->snapshot().status.caps); });
    return box;
}

QGroupBox* SettingsPage::make_program() {
    auto* box = new QGroupBox(tr("This program"));
    auto* notify = new QCheckBox(tr("Notify me of &trouble and of held contributions"));
    notify->setChecked(preferences_->notifications());
    auto* stay = new QCheckBox(tr("&Keep the icon when this window is closed"));
    stay->setChecked(preferences_->close_to_tray());
    auto* layout = new QVBoxLayout(box);
    layout->addWidget(start_);
    layout->addWidget(notify);
    layout->addWidget(stay);
    connect(start_, &QCheckBox::clicked, this, [this](bool on) {
        if (!autostart_.set_enabled(on))
            Q_EMIT message(tr("The file for starting at login could not be written."));
        start_->setChecked(autostart_.enabled());
    });
    connect(notify, &QCheckBox::clicked, this, [this](bool on) { preferences_->set_notifications(on); });
    connect(stay, &QCheckBox::clicked, this, [this](bool on) { preferences_->set_close_to_tray(on); });
    return box;
}

Caps SettingsPage::edited() const {
    Caps caps;
    if (has_max_bytes_->isChecked())
        caps.max_bytes = static_cast<quint64>(std::llround(max_gigabytes_->value() * gigabyte));
    if (has_max_percent_->isChecked())
        caps.max_percent = max_percent_->value();
    caps.only_when_idle = only_when_idle_->isChecked();
    caps.only_on_mains = only_on_mains_->isChecked();
    if (has_quiet_hours_->isChecked())
        caps.quiet_hours = format_quiet_hours({quiet_from_->time(), quiet_to_->time()});
    return caps;
}

void SettingsPage::show_caps(const Caps& caps) {
    in_force_ = caps;
    has_max_bytes_->setChecked(caps.max_bytes != no_limit);
    if (caps.max_bytes != no_limit)
        max_gigabytes_->setValue(static_cast<double>(caps.max_bytes) / gigabyte);
    has_max_percent_->setChecked(caps.max_percent < 100);
    if (caps.max_percent < 100)
        max_percent_->setValue(static_cast<int>(std::lround(caps.max_percent)));
    only_when_idle_->setChecked(caps.only_when_idle);
    only_on_mains_->setChecked(caps.only_on_mains);
    const auto quiet = parse_quiet_hours(caps.quiet_hours);
    has_quiet_hours_->setChecked(quiet.has_value());
    if (quiet) {
        quiet_from_->setTime(quiet->begin);
        quiet_to_->setTime(quiet->end);
    }
    shown_ = edited();
    show_buttons();
}

void SettingsPage::show_status() {
    const Snapshot& snapshot = client_->snapshot();
    limits_->setEnabled(snapshot.link == Link::connected);
    on_->setChecked(snapshot.link == Link::connected && snapshot.status.state != State::off);
    // Do not overwrite fields that the user is editing.
    const bool untouched = edited() == shown_;
    if (untouched && !waiting_ && snapshot.status.caps != in_force_)
        show_caps(snapshot.status.caps);
    show_buttons();
}

void SettingsPage::show_buttons() {
    const bool changed = edited() != shown_;
    max_gigabytes_->setEnabled(has_max_bytes_->isChecked());
    max_percent_->setEnabled(has_max_percent_->isChecked());
    quiet_from_->setEnabled(has_quiet_hours_->isChecked());
    quiet_to_->setEnabled(has_quiet_hours_->isChecked());
    apply_->setEnabled(changed && !waiting_);
    revert_->setEnabled(changed && !waiting_);
}

void SettingsPage::showEvent(QShowEvent* event) {
    // The page of the first run, or another program, may have changed the file.
    start_->setChecked(autostart_.enabled());
    QWidget::showEvent(event);
}

void SettingsPage::apply() {
    waiting_ = true;
    show_buttons();
    client_->set_caps(changed_caps(shown_, edited()));
}

void SettingsPage::on_finished(Request request, const Failure& failure) {
    if (request == Request::set_on)
        show_status();
    if (request != Request::set_caps)
        return;
    waiting_ = false;
    // Show the caps in force, even if they differ from the request.
    const Caps asked = edited();
    show_caps(client_->snapshot().status.caps);
    if (!failure && shown_ != asked)
        Q_EMIT message(tr("The administrator's configuration is stricter. This page shows the settings in force."));
}

}  // namespace tmm::tray
