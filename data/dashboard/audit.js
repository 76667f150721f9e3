// SPDX-License-Identifier: LGPL-2.1-or-later
// The calls that were made, by whom, and what came of them.

import {ask} from './api.js';
import {el, icon, setText} from './dom.js';
import {formatMs, formatTime} from './formats.js';
import {json} from './results.js';
import {t, tOr} from './texts.js';

const PAGE = 50;
const OUTCOMES = ['ok', 'tool-error', 'error', 'refused', 'cancelled', 'timed-out'];
const SYMBOLS = {ok: 'good', refused: 'hand', cancelled: 'idle'};

function durationOf(record) {
  const ms = record.duration_ms ?? record.durationMs ?? (record.duration_us ?? record.durationUs) / 1000;
  return Number.isFinite(ms) ? formatMs(ms) : '';
}

const hostOf = record => [record.host, record.client].filter(Boolean).join(', ');

function makeRow(record) {
  const more = el('tr', {class: 'audit-more', hidden: true}, el('td', {colspan: 7}, json(record)));
  const button = el('button', {class: 'flat', 'aria-expanded': 'false', 'aria-label': t('action-of', t('audit-more'), `${record.server ?? ''} ${record.tool ?? ''}`),
    onclick: () => {
      more.hidden = !more.hidden;
      button.setAttribute('aria-expanded', String(!more.hidden));
    }}, icon('down'));
  const outcome = record.outcome ?? '';
  const cell = (key, ...content) => el('td', {'data-label': t(key)}, content);
  return [el('tr', {'data-id': record.id},
    cell('audit-time', el('time', {datetime: record.time}, formatTime(record.time))),
    cell('audit-host', hostOf(record)), cell('audit-server', record.server ?? ''), cell('audit-tool', el('span', {class: 'mono'}, record.tool ?? '')),
    cell('audit-outcome', el('span', {class: 'outcome', 'data-outcome': outcome}, icon(SYMBOLS[outcome] ?? 'bad'), tOr(`outcome-${outcome}`, outcome))),
    cell('audit-duration', durationOf(record)), el('td', {}, button)), more];
}

// A time of the place where the person is, as the API wants it.
const toUtc = local => local ? new Date(local).toISOString() : '';

export function makeAuditView(getNames) {
  const field = (key, control) => el('div', {class: 'field'}, el('label', {for: control.id}, t(key)), control);
  const server = el('select', {id: 'audit-server', name: 'server'});
  const tool = el('input', {id: 'audit-tool', name: 'tool', type: 'search', autocomplete: 'off'});
  const outcome = el('select', {id: 'audit-outcome', name: 'outcome'}, el('option', {value: ''}, t('all')),
    OUTCOMES.map(value => el('option', {value}, t(`outcome-${value}`))));
  const since = el('input', {id: 'audit-since', name: 'since', type: 'datetime-local'});
  const before = el('input', {id: 'audit-before', name: 'before', type: 'datetime-local'});
  const rows = el('tbody', {});
  const note = el('p', {class: 'dim', role: 'status'});
  const older = el('button', {hidden: true, onclick: () => loadOlder()}, t('audit-older'));
  const columns = ['time', 'host', 'server', 'tool', 'outcome', 'duration'];
  const table = el('table', {class: 'audit'}, el('caption', {class: 'sr-only'}, t('audit-caption')),
    el('thead', {}, el('tr', {}, columns.map(key => el('th', {scope: 'col'}, t(`audit-${key}`))),
      el('th', {scope: 'col'}, el('span', {class: 'sr-only'}, t('audit-more'))))), rows);
  const scroll = el('div', {class: 'card scroll', tabindex: 0, role: 'region', 'aria-label': t('audit-caption')}, table);
  let next = null;
  let loads = 0;

  function query(page) {
    const values = {server: server.value, tool: tool.value.trim(), outcome: outcome.value, since: toUtc(since.value), before: toUtc(before.value), limit: PAGE};
    if (page)
      values.before = page;
    return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
  }

  async function load(page) {
    const number = ++loads;
    let answer;
    try {
      answer = await ask('GET', `audit?${query(page)}`);
    } catch (error) {
      if (number === loads)
        fail(error);
      return;
    }
    if (number !== loads)
      return;
    if (!page)
      rows.replaceChildren();
    rows.append(...answer.records.flatMap(makeRow));
    next = answer.next ?? null;
    older.hidden = next === null;
    scroll.hidden = rows.childElementCount === 0;
    setText(note, rows.childElementCount === 0 ? t('audit-empty') : '');
  }

  function fail(error) {
    rows.replaceChildren();
    scroll.hidden = true;
    older.hidden = true;
    setText(note, error.isMissing ? t('audit-missing') : error.message);
  }

  const loadOlder = () => load(next);

  function showNames() {
    const chosen = server.value;
    server.replaceChildren(el('option', {value: ''}, t('all')), ...getNames().map(one => el('option', {value: one}, one)));
    server.value = chosen;
  }

  const form = el('form', {class: 'filters', onsubmit: event => { event.preventDefault(); load(); }, onchange: () => load()},
    field('audit-server', server), field('audit-tool', tool), field('audit-outcome', outcome), field('audit-since', since), field('audit-before', before),
    el('div', {class: 'field field-button'}, el('button', {type: 'submit'}, t('audit-refresh'))));
  return {
    element: el('section', {'aria-labelledby': 'audit-title'}, el('h2', {id: 'audit-title'}, t('view-audit')), form, note, scroll,
      el('div', {class: 'buttons audit-older'}, older)),
    open() {
      showNames();
      return load();
    },
    close() {},
  };
}
