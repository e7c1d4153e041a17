// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SoftPage: the programs with soft memory, as tmmctl soft lists them, and the owner's wishes for its division. While it is shown,
// it reads them every few seconds.
#pragma once

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QTreeWidget>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"

namespace tmm::tray {

class SoftPage : public QWidget {
    Q_OBJECT

public:
    explicit SoftPage(DaemonClient* client, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QTreeWidget* make_list();
    QWidget* make_wishes();
    [[nodiscard]] const SoftHeap* selected() const;
    void show_soft(const QList<SoftHeap>& heaps, const SoftShares& shares);
    void show_list();
    void show_cap();
    void show_selected();
    void apply_cap();
    void apply_weight();

    DaemonClient* client_;
    QTimer refresh_;
    QList<SoftHeap> heaps_;
    SoftShares shares_;
    QTreeWidget* list_;
    QLabel* empty_;
    QLabel* reason_;
    QCheckBox* has_cap_;
    QDoubleSpinBox* gigabytes_;
    QLabel* user_;
    QSpinBox* weight_;
    QPushButton* apply_weight_;
};

}  // namespace tmm::tray
