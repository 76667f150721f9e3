// SPDX-License-Identifier: LGPL-2.1-or-later
// The last latencies of a server as a line, with the same in words.

import {svg} from './dom.js';
import {formatMs} from './formats.js';
import {t} from './texts.js';

const WIDTH = 120;
const HEIGHT = 28;
const INSET = 2;

export function drawSparkline(values) {
  const highest = Math.max(...values, 1e-6);
  const step = (WIDTH - 2 * INSET) / Math.max(values.length - 1, 1);
  const points = values.map((value, i) =>
    [INSET + i * step, HEIGHT - INSET - value / highest * (HEIGHT - 2 * INSET)].map(at => at.toFixed(1)));
  const line = points.length === 1 ? [points[0], [WIDTH - INSET, points[0][1]]] : points;
  const path = line.map(point => point.join(' ')).join('L');
  const last = line[line.length - 1];
  return svg('svg', {class: 'sparkline', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img',
    'aria-label': t('latency-label', values.length, formatMs(values[values.length - 1]), formatMs(Math.max(...values)))},
  svg('path', {class: 'area', d: `M${line[0][0]} ${HEIGHT}L${path}L${last[0]} ${HEIGHT}Z`}),
  svg('path', {class: 'line', d: `M${path}`}),
  svg('circle', {class: 'end', cx: last[0], cy: last[1], r: 2}));
}
