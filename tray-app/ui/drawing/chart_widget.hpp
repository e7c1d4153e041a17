// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ChartWidget: draws ChartData with areas, limit lines, axes and a legend. The pointer or the arrow keys choose a time, whose
// values it shows and reports to screen readers.
#pragma once

#include <QWidget>
#include <optional>

#include "tray-app/model/chart_data.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {

class ChartWidget : public QWidget {
    Q_OBJECT

public:
    explicit ChartWidget(QWidget* parent = nullptr);

    void set_chart(ChartData chart);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Mark { area, line, dashes };
    struct Entry {  // of the legend and of the box of values
        QString text;
        QColor color;
        double ChartPoint::*value;
        Mark mark;
    };

    [[nodiscard]] QList<Entry> entries() const;
    [[nodiscard]] QRectF plot_rect() const;
    [[nodiscard]] double x_of(double time_s) const;
    [[nodiscard]] double y_of(double bytes) const;
    [[nodiscard]] qreal legend_height() const;

    void draw_axes(QPainter& painter) const;
    void draw_areas(QPainter& painter) const;
    void draw_limits(QPainter& painter) const;
    void draw_legend(QPainter& painter) const;
    [[nodiscard]] static qreal swatch_of(const Entry& entry);
    void draw_mark(QPainter& painter, const Entry& entry, const QRectF& box) const;
    void draw_values(QPainter& painter, const ChartPoint& point) const;
    void draw_message(QPainter& painter, const QString& text) const;
    // Calls draw(entry, position) for each entry of the legend; returns their height.
    template <typename Draw>
    qreal lay_out_legend(Draw&& draw) const;
    void set_pointed_time(std::optional<qint64> time_s);

    ChartData chart_;
    std::optional<qint64> pointed_s_;
};

}  // namespace tmm::tray
