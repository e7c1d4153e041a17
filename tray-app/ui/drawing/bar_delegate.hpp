// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BarDelegate: a PaddedDelegate that draws a thin bar below the text of cells with a share (share_role).
#pragma once

#include <QPainter>
#include <cmath>

#include "tray-app/model/boinc_tasks_model.hpp"
#include "tray-app/ui/drawing/padded_delegate.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {

class BarDelegate : public PaddedDelegate {
    Q_OBJECT

public:
    using PaddedDelegate::PaddedDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        PaddedDelegate::paint(painter, option, index);
        const QVariant value = index.data(share_role);
        const double share = value.toDouble();
        if (!value.isValid() || !std::isfinite(share))
            return;
        constexpr int margin = 6;
        constexpr int height = 3;
        const QRectF groove(option.rect.left() + margin, option.rect.bottom() - height, option.rect.width() - 2 * margin, height);
        const ChartColors colors = chart_colors(is_dark(option.palette));
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.free);
        painter->drawRoundedRect(groove, 1.5, 1.5);
        painter->setBrush(colors.transparent);
        painter->drawRoundedRect(QRectF(groove.topLeft(), QSizeF(groove.width() * qBound(0.0, share, 1.0), height)), 1.5, 1.5);
        painter->restore();
    }
};

}  // namespace tmm::tray
