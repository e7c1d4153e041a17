// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PaddedDelegate: draws list rows with padding around the text.
#pragma once

#include <QStyledItemDelegate>

namespace tmm::tray {

class PaddedDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(16, 8);
    }
};

}  // namespace tmm::tray
