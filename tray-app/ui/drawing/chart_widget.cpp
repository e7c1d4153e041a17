// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// chart_widget.hpp
#include "tray-app/ui/drawing/chart_widget.hpp"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "tray-app/model/words/format.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

// In device-independent pixels.
constexpr qreal gap = 8;
constexpr qreal swatch = 12;
constexpr qreal line_swatch = 28;  // long enough for two dashes
constexpr qreal entry_spacing = 20;

// Dashes, so that both limits are visible where they coincide.
QPen limit_pen(const QColor& color, bool dashed) {
    QPen pen(color, 2, Qt::SolidLine, Qt::FlatCap);
    if (dashed)
        pen.setDashPattern({4, 4});
    return pen;
}

double floor_of(const ChartPoint&) {
    return 0;
}
double opaque_top(const ChartPoint& point) {
    return point.opaque;
}
double free_top(const ChartPoint& point) {
    return point.opaque + point.free;
}
double transparent_top(const ChartPoint& point) {
    return point.opaque + point.free + point.transparent;
}

}  // namespace

ChartWidget::ChartWidget(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Memory use over time"));
}

void ChartWidget::set_chart(ChartData chart) {
    chart_ = std::move(chart);
    setAccessibleDescription(describe_chart(chart_, locale()));
    update();
}

QSize ChartWidget::sizeHint() const {
    return {640, 300};
}

QSize ChartWidget::minimumSizeHint() const {
    return {360, 240};
}

QList<ChartWidget::Entry> ChartWidget::entries() const {
    const ChartColors colors = chart_colors(is_dark(palette()));
    return {
        {tr("Contributions"), colors.transparent, &ChartPoint::transparent, Mark::area},
        {tr("Free"), colors.free, &ChartPoint::free, Mark::area},
        {tr("Your programs"), colors.opaque, &ChartPoint::opaque, Mark::area},
        {tr("Limit of contributions"), colors.transparent_limit, &ChartPoint::transparent_limit, Mark::dashes},
        {tr("Limit of your programs"), colors.opaque_limit, &ChartPoint::opaque_limit, Mark::line},
    };
}

QRectF ChartWidget::plot_rect() const {
    const QFontMetricsF metrics(font());
    qreal left = metrics.horizontalAdvance(u"88 GiB"_s);
    for (const AxisTick& tick : chart_.memory_ticks)
        left = std::max(left, metrics.horizontalAdvance(tick.label));
    return QRectF(rect()).adjusted(left + gap, metrics.height() / 2 + 2, -metrics.averageCharWidth() * 3,
                                   -(metrics.height() + gap + legend_height() + gap));
}

double ChartWidget::x_of(double time_s) const {
    const QRectF plot = plot_rect();
    const auto from = static_cast<double>(chart_.from_s);
    const auto to = static_cast<double>(chart_.to_s);
    return plot.left() + plot.width() * (time_s - from) / std::max(1.0, to - from);
}

double ChartWidget::y_of(double bytes) const {
    const QRectF plot = plot_rect();
    return plot.bottom() - plot.height() * bytes / std::max(1.0, chart_.ceiling);
}

template <typename Draw>
qreal ChartWidget::lay_out_legend(Draw&& draw) const {
    const QFontMetricsF metrics(font());
    const qreal line = metrics.height() + 4;
    qreal x = 0;
    qreal y = 0;
    for (const Entry& entry : entries()) {
        const qreal width = swatch_of(entry) + 6 + metrics.horizontalAdvance(entry.text);
        if (x > 0 && x + width > this->width()) {
            x = 0;
            y += line;
        }
        draw(entry, QPointF(x, y));
        x += width + entry_spacing;
    }
    return y + line;
}

qreal ChartWidget::legend_height() const {
    return lay_out_legend([](const Entry&, const QPointF&) {});
}

void ChartWidget::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(plot_rect(), palette().base());
    if (chart_.runs.isEmpty())
        draw_message(painter, tr("Nothing was measured in this time."));
    draw_areas(painter);
    draw_axes(painter);
    draw_limits(painter);
    draw_legend(painter);
    if (pointed_s_) {
        if (const ChartPoint* point = nearest_point(chart_, *pointed_s_))
            draw_values(painter, *point);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().highlight(), 1.5));
        painter.drawRect(plot_rect());
    }
}

void ChartWidget::draw_message(QPainter& painter, const QString& text) const {
    painter.setPen(muted_text(palette()));
    painter.drawText(plot_rect(), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void ChartWidget::draw_areas(QPainter& painter) const {
    const ChartColors colors = chart_colors(is_dark(palette()));
    const struct {
        double (*bottom)(const ChartPoint&);
        double (*top)(const ChartPoint&);
        QColor color;
    } areas[] = {
        {floor_of, opaque_top, colors.opaque},
        {opaque_top, free_top, colors.free},
        {free_top, transparent_top, colors.transparent},
    };
    painter.save();
    painter.setClipRect(plot_rect());
    for (const QList<ChartPoint>& run : chart_.runs) {
        for (const auto& area : areas) {
            QPolygonF polygon;
            for (const ChartPoint& point : run)
                polygon << QPointF(x_of(static_cast<double>(point.time_s)), y_of(area.top(point)));
            for (auto point = run.crbegin(); point != run.crend(); ++point)
                polygon << QPointF(x_of(static_cast<double>(point->time_s)), y_of(area.bottom(*point)));
            painter.setBrush(area.color);
            // An outline of the same colour closes the seam of antialiasing, and makes a run of one point visible.
            painter.setPen(QPen(area.color, 1));
            painter.drawPolygon(polygon);
        }
    }
    painter.restore();
}

void ChartWidget::draw_axes(QPainter& painter) const {
    const QRectF plot = plot_rect();
    const QFontMetricsF metrics(font());
    QColor grid = palette().color(QPalette::Text);
    grid.setAlpha(38);
    const QColor label = muted_text(palette());
    for (const AxisTick& tick : chart_.memory_ticks) {
        const qreal y = std::round(y_of(tick.position)) + 0.5;
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(label);
        painter.drawText(QRectF(0, y - metrics.height(), plot.left() - gap, 2 * metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    qreal free_from = 0;
    for (const AxisTick& tick : chart_.time_ticks) {
        const qreal x = std::round(x_of(tick.position)) + 0.5;
        const qreal width = metrics.horizontalAdvance(tick.label);
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom() + 3));
        // Skip labels that would overlap in a narrow window.
        if (x - width / 2 < free_from || x + width / 2 > this->width())
            continue;
        free_from = x + width / 2 + gap;
        painter.setPen(label);
        painter.drawText(QRectF(x - width, plot.bottom() + 4, 2 * width, metrics.height()), Qt::AlignHCenter | Qt::AlignTop,
                         tick.label);
    }
}

void ChartWidget::draw_limits(QPainter& painter) const {
    const ChartColors colors = chart_colors(is_dark(palette()));
    painter.save();
    painter.setClipRect(plot_rect().adjusted(0, -2, 0, 2));
    painter.setBrush(Qt::NoBrush);
    for (const QList<ChartPoint>& run : chart_.runs) {
        QPolygonF opaque;
        QPolygonF transparent;
        for (const ChartPoint& point : run) {
            const qreal x = x_of(static_cast<double>(point.time_s));
            opaque << QPointF(x, y_of(std::min(chart_.ceiling, point.opaque_limit)));
            transparent << QPointF(x, y_of(std::max(0.0, chart_.ceiling - point.transparent_limit)));
        }
        painter.setPen(limit_pen(colors.opaque_limit, false));
        painter.drawPolyline(opaque);
        painter.setPen(limit_pen(colors.transparent_limit, true));
        painter.drawPolyline(transparent);
    }
    painter.restore();
}

void ChartWidget::draw_legend(QPainter& painter) const {
    const QFontMetricsF metrics(font());
    const qreal top = height() - legend_height();
    lay_out_legend([&](const Entry& entry, const QPointF& at) {
        const QRectF box(at.x() + 0.5, top + at.y() + (metrics.height() - swatch) / 2 + 0.5, swatch_of(entry), swatch);
        draw_mark(painter, entry, box);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QPointF(box.right() + 6, top + at.y() + metrics.ascent()), entry.text);
    });
}

qreal ChartWidget::swatch_of(const Entry& entry) {
    return entry.mark == Mark::area ? swatch : line_swatch;
}

void ChartWidget::draw_mark(QPainter& painter, const Entry& entry, const QRectF& box) const {
    if (entry.mark == Mark::area) {
        painter.setPen(QPen(muted_text(palette()), 0.5));
        painter.setBrush(entry.color);
        painter.drawRoundedRect(box, 2, 2);
        return;
    }
    painter.setPen(limit_pen(entry.color, entry.mark == Mark::dashes));
    painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
}

void ChartWidget::draw_values(QPainter& painter, const ChartPoint& point) const {
    const QRectF plot = plot_rect();
    const QFontMetricsF metrics(font());
    const qreal x = std::round(x_of(static_cast<double>(point.time_s))) + 0.5;
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));

    const QString title = format_chart_time(chart_, point.time_s, locale());
    qreal name_width = metrics.horizontalAdvance(title);
    qreal value_width = 0;
    const auto value_of = [&](const Entry& entry) { return format_bytes(static_cast<quint64>(point.*entry.value), locale()); };
    for (const Entry& entry : entries()) {
        name_width = std::max(name_width, line_swatch + 6 + metrics.horizontalAdvance(entry.text));
        value_width = std::max(value_width, metrics.horizontalAdvance(value_of(entry)));
    }
    const qreal line = metrics.height() + 2;
    const auto nr_lines = static_cast<qreal>(entries().size() + 1);
    QRectF box(0, plot.top() + gap, name_width + value_width + 4 * gap, nr_lines * line + 2 * gap);
    box.moveLeft(x + gap + box.width() > plot.right() ? std::max(0.0, x - gap - box.width()) : x + gap);
    QColor ground = palette().color(QPalette::Window);
    ground.setAlpha(240);
    painter.setBrush(ground);
    painter.setPen(QPen(muted_text(palette()), 1));
    painter.drawRoundedRect(box, 4, 4);

    painter.setPen(palette().color(QPalette::WindowText));
    const qreal left = box.left() + gap;
    qreal top = box.top() + gap;
    painter.drawText(QPointF(left, top + metrics.ascent()), title);
    for (const Entry& entry : entries()) {
        top += line;
        draw_mark(painter, entry, QRectF(left, top + (metrics.height() - swatch) / 2, swatch_of(entry), swatch));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QPointF(left + line_swatch + 6, top + metrics.ascent()), entry.text);
        painter.drawText(QRectF(left, top, box.width() - 2 * gap, line), Qt::AlignRight | Qt::AlignTop, value_of(entry));
    }
}

void ChartWidget::set_pointed_time(std::optional<qint64> time_s) {
    pointed_s_ = time_s;
    if (time_s && hasFocus()) {
        if (const ChartPoint* point = nearest_point(chart_, *time_s)) {
            QStringList values{format_chart_time(chart_, point->time_s, locale())};
            for (const Entry& entry : entries())
                values << entry.text + u": "_s + format_bytes(static_cast<quint64>(point->*entry.value), locale());
            setAccessibleDescription(values.join(u", "_s));
            QAccessibleEvent event(this, QAccessible::DescriptionChanged);
            QAccessible::updateAccessibility(&event);
        }
    }
    update();
}

void ChartWidget::mouseMoveEvent(QMouseEvent* event) {
    const QRectF plot = plot_rect();
    const double share = (event->position().x() - plot.left()) / std::max(1.0, plot.width());
    if (!plot.contains(event->position()))
        set_pointed_time({});
    else
        set_pointed_time(chart_.from_s + static_cast<qint64>(share * static_cast<double>(chart_.to_s - chart_.from_s)));
}

void ChartWidget::leaveEvent(QEvent* /*event*/) {
    set_pointed_time({});
}

void ChartWidget::keyPressEvent(QKeyEvent* event) {
    const qint64 step = (chart_.to_s - chart_.from_s) / 60;
    const qint64 at = pointed_s_.value_or(chart_.to_s);
    switch (event->key()) {
        case Qt::Key_Left:
            return set_pointed_time(std::max(chart_.from_s, at - step));
        case Qt::Key_Right:
            return set_pointed_time(std::min(chart_.to_s, at + step));
        case Qt::Key_Home:
            return set_pointed_time(chart_.from_s);
        case Qt::Key_End:
            return set_pointed_time(chart_.to_s);
        default:
            QWidget::keyPressEvent(event);
    }
}

void ChartWidget::focusOutEvent(QFocusEvent* event) {
    set_pointed_time({});
    setAccessibleDescription(describe_chart(chart_, locale()));
    QWidget::focusOutEvent(event);
}

}  // namespace tmm::tray
