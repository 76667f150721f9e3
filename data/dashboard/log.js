// SPDX-License-Identifier: LGPL-2.1-or-later
// What servers print and what becomes of them, as it happens.

import {ask, serverPath} from './api.js';
import {el, setText} from './dom.js';
import {formatClock, formatTime} from './formats.js';
import {t, tOr} from './texts.js';

const MAX_LINES = 2000;
const FIRST_LINES = 200;
const KNOWN_LINES = 100;
const FRESH_MS = 3000;

const levelOf = line => line.origin === 'manager' || !line.origin ? line.level ?? 'info' : 'stderr';

function makeLine(line) {
  const level = levelOf(line);
  return el('div', {class: 'log-line', 'data-level': level, 'data-server': line.server},
    el('time', {datetime: line.time, title: formatTime(line.time)}, formatClock(line.time)),
    el('span', {class: 'log-server'}, line.server ?? ''),
    el('span', {class: 'log-level'}, tOr(`level-${level}`, level)),
    el('span', {class: 'log-text'}, line.text ?? line.message ?? ''));
}

export function makeLogView(getNames) {
  const server = el('select', {id: 'log-server', onchange: () => load()});
  const level = el('select', {id: 'log-level', onchange: () => filter()}, ['', 'warning', 'error', 'stderr'].map(value =>
    el('option', {value}, value === '' ? t('all') : t(`level-${value}`))));
  const search = el('input', {id: 'log-search', type: 'search', oninput: () => filter()});
  const follow = el('input', {id: 'log-follow', type: 'checkbox', checked: true, onchange: () => scroll()});
  const lines = el('div', {class: 'log card', role: 'log', tabindex: 0, 'aria-label': t('view-log')});
  const empty = el('p', {class: 'dim'}, t('log-empty'));
  let isShown = false;
  let loads = 0;
  let loadedAt = -Infinity;

  const isFresh = () => performance.now() - loadedAt < FRESH_MS;

  function fits(element) {
    const wanted = level.value;
    const has = element.dataset.level;
    return (server.value === '' || element.dataset.server === server.value)
      && (wanted === '' || has === wanted || (wanted === 'warning' && has === 'error'))
      && (search.value === '' || element.textContent.toLowerCase().includes(search.value.toLowerCase()));
  }

  function scroll() {
    if (follow.checked)
      lines.scrollTop = lines.scrollHeight;
  }

  function filter() {
    let n = 0;
    for (const element of lines.children) {
      element.hidden = !fits(element);
      n += element.hidden ? 0 : 1;
    }
    empty.hidden = n > 0;
    scroll();
  }

  // What was read a moment ago comes once more where the stream tells of it later.
  const isKnown = element => [...lines.children].slice(-KNOWN_LINES).some(other => other.isEqualNode(element));

  function add(line) {
    if (!isShown)
      return;
    const element = makeLine(line);
    element.hidden = !fits(element);
    if (isFresh() && isKnown(element))
      return;
    lines.append(element);
    if (!element.hidden)
      empty.hidden = true;
    while (lines.childElementCount > MAX_LINES)
      lines.firstElementChild.remove();
    scroll();
  }

  async function read(one) {
    const answer = await ask('GET', serverPath(one, `/logs?lines=${FIRST_LINES}`)).catch(() => ({lines: []}));
    return answer.lines.map(line => ({...line, server: one}));
  }

  async function load() {
    const number = ++loads;
    const names = server.value ? [server.value] : getNames();
    const found = (await Promise.all(names.map(read))).flat();
    if (number !== loads)
      return;
    found.sort((a, b) => String(a.time).localeCompare(String(b.time)));
    loadedAt = performance.now();
    lines.replaceChildren(...found.slice(-MAX_LINES).map(makeLine));
    filter();
  }

  function showNames() {
    const chosen = server.value;
    server.replaceChildren(el('option', {value: ''}, t('all')), ...getNames().map(one => el('option', {value: one}, one)));
    server.value = getNames().includes(chosen) ? chosen : '';
  }

  return {
    element: el('section', {'aria-labelledby': 'log-title'},
      el('h2', {id: 'log-title'}, t('view-log')),
      el('div', {class: 'filters'},
        el('div', {class: 'field'}, el('label', {for: 'log-server'}, t('log-server')), server),
        el('div', {class: 'field'}, el('label', {for: 'log-level'}, t('log-level')), level),
        el('div', {class: 'field'}, el('label', {for: 'log-search'}, t('log-search')), search),
        el('div', {class: 'field field-check'}, follow, el('label', {for: 'log-follow'}, t('log-follow')))),
      empty, lines),
    add, showNames,
    open(one) {
      isShown = true;
      showNames();
      if (one !== undefined)
        server.value = one;
      return load();
    },
    close() { isShown = false; },
    // The stream was cut off: what came in between is read again.
    reload() { return isShown ? load() : undefined; },
    setEmptyText: text => setText(empty, text),
  };
}
