// SPDX-License-Identifier: LGPL-2.1-or-later
// Two texts line by line: what was taken away, what was added, and what stayed.

import {el} from './dom.js';
import {t} from './texts.js';

const CONTEXT = 3;
const MAX_CELLS = 4_000_000;

// [{kind: 'same' | 'removed' | 'added', text}], by the longest common subsequence. Where that would be too much work,
// all between the first and the last difference counts as another.
export function compareLines(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end])
    end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const as = kind => text => ({kind, text});
  return [...before.slice(0, start).map(as('same')), ...compareMiddle(old, now), ...before.slice(before.length - end).map(as('same'))];
}

function compareMiddle(old, now) {
  const as = kind => text => ({kind, text});
  if (old.length * now.length > MAX_CELLS || old.length === 0 || now.length === 0)
    return [...old.map(as('removed')), ...now.map(as('added'))];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({kind: 'same', text: old[i]});
      i++;
      j++;
    } else if (i < old.length && (j === now.length || common[(i + 1) * width + j] >= common[i * width + j + 1]))
      lines.push({kind: 'removed', text: old[i++]});
    else
      lines.push({kind: 'added', text: now[j++]});
  }
  return lines;
}

const toLines = value => typeof value === 'string' ? value.split('\n') : value === null || value === undefined ? [] : JSON.stringify(value, null, 2).split('\n');

function showLine({kind, text}) {
  if (kind === 'removed')
    return el('del', {}, el('span', {class: 'sr-only'}, t('removed'), ' '), text, '\n');
  if (kind === 'added')
    return el('ins', {}, el('span', {class: 'sr-only'}, t('added'), ' '), text, '\n');
  return el('span', {class: 'same'}, text, '\n');
}

export function showDiff(before, after) {
  const lines = compareLines(toLines(before), toLines(after));
  const isNear = lines.map((_, i) => lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(line => line.kind !== 'same'));
  const shown = [];
  let skipped = 0;
  const flush = () => {
    if (skipped > 0)
      shown.push(el('span', {class: 'skipped'}, t('lines-same', skipped), '\n'));
    skipped = 0;
  };
  lines.forEach((line, i) => {
    if (!isNear[i]) {
      skipped++;
      return;
    }
    flush();
    shown.push(showLine(line));
  });
  flush();
  return el('pre', {class: 'diff', tabindex: 0}, shown);
}
