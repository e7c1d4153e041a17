// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SettingsPage: the owner's caps and conditions, which the daemon keeps for all users, whether BOINC may use idle memory, and the
// preferences of this program.
//
// "Apply" sends all changes in one request, since each request may need an administrator's password. After a refusal the fields
// show the caps in force again.
#pragma once

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGroupBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTimeEdit>
#include <QWidget>

#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/client/daemon_client.hpp"
#include "tray-app/desktop/autostart.hpp"
#include "tray-app/desktop/preferences.hpp"

namespace tmm::tray {

class SettingsPage : public QWidget {
    Q_OBJECT

public:
    SettingsPage(DaemonClient* client, BoincSwitch* boinc_switch, Preferences* preferences, Autostart autostart,
                 QWidget* parent = nullptr);

Q_SIGNALS:
    // Emits a sentence for the window's message line.
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QGroupBox* make_limits();
    QGroupBox* make_boinc();
    QGroupBox* make_program();
    [[nodiscard]] Caps edited() const;
    void show_status();
    void show_caps(const Caps& caps);
    void show_boinc();
    void show_buttons();
    void apply();
    void on_finished(Request request, const Failure& failure);

    DaemonClient* client_;
    BoincSwitch* boinc_switch_;
    Preferences* preferences_;
    Autostart autostart_;
    Caps in_force_;         // as of the last time the fields were filled
    Caps shown_;            // the same, rounded as the fields show it
    bool waiting_ = false;  // for the daemon's answer
    QCheckBox* on_;
    QCheckBox* boinc_;
    QGroupBox* limits_;
    QGroupBox* boinc_box_;
    QCheckBox* has_max_bytes_;
    QDoubleSpinBox* max_gigabytes_;
    QCheckBox* has_max_percent_;
    QSpinBox* max_percent_;
    QCheckBox* only_when_idle_;
    QCheckBox* only_on_mains_;
    QCheckBox* has_quiet_hours_;
    QTimeEdit* quiet_from_;
    QTimeEdit* quiet_to_;
    QCheckBox* start_;
    QPushButton* apply_;
    QPushButton* revert_;
};

}  // namespace tmm::tray
