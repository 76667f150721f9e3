// SPDX-License-Identifier: LGPL-2.1-or-later
// The servers: totals, and a card for each with how it is and what can be done with it.

import {ask, serverPath} from './api.js';
import {announce, el, icon, KeyedList, setAttribute, setIcon, setText} from './dom.js';
import {formatBytes, formatCount, formatMs, formatSeconds, formatTime} from './formats.js';
import {drawSparkline} from './sparkline.js';
import {hasText, t, tOr} from './texts.js';
import {makeTools} from './tools.js';

const KINDS = {
  ready: 'good', running: 'good', starting: 'busy', installing: 'busy', stopping: 'busy', degraded: 'warn', 'backing-off': 'warn',
  'needs-sign-in': 'warn', unhealthy: 'bad', failed: 'bad',
};
const SYMBOLS = {good: 'good', busy: 'busy', warn: 'warn', bad: 'bad', idle: 'idle', manual: 'hand'};
const RUNNING = new Set(['ready', 'running', 'degraded', 'unhealthy', 'starting', 'installing', 'backing-off']);
const ACTIONS = [['start', 'start'], ['stop', 'stop'], ['restart', 'restart'], ['health', 'check']];

const fineState = server => server.fine_state ?? server.state;
const isManual = server => server.start === 'manual' && fineState(server) === 'stopped';
const uptimeOf = server => server.uptime_s ?? server.uptime_seconds ?? 0;
const memoryOf = server => server.memory ?? server.memory_bytes ?? 0;

function stateOf(server) {
  const state = fineState(server);
  if (isManual(server))
    return {kind: 'manual', text: t('state-manual')};
  return {kind: KINDS[state] ?? 'idle', text: tOr(`state-${state}`, state)};
}

function sandboxOf(server) {
  if (server.transport !== 'stdio')
    return {text: t('elsewhere'), warn: false};
  const has = server.sandboxed ?? (server.sandbox !== undefined && server.sandbox !== 'none');
  return {text: t(has ? 'with-sandbox' : 'without-sandbox'), warn: !has};
}

function callsOf(server) {
  const {calls = 0, errors = 0, tool_errors: toolErrors = 0} = server.statistics ?? {};
  return errors + toolErrors > 0 ? t('calls-errors', formatCount(calls), formatCount(errors + toolErrors)) : formatCount(calls);
}

// A table of names and values that changes in place.
class Facts {
  constructor(className) {
    this.element = el('dl', {class: className});
    this.rows = new Map();
  }

  set(key, text, {warn = false, mono = false} = {}) {
    let row = this.rows.get(key);
    if (!row) {
      const value = el('dd', {class: mono ? 'mono' : ''});
      row = {value, element: el('div', {'data-fact': key}, el('dt', {}, t(key)), value)};
      this.rows.set(key, row);
      this.element.append(row.element);
    }
    row.element.hidden = text === null || text === undefined || text === '';
    row.value.classList.toggle('warn-text', warn);
    setText(row.value, text ?? '');
  }
}

class ServerCard {
  constructor(server, actions) {
    this.name = server.name;
    this.since = 0;
    this.badge = {icon: el('span', {class: 'badge-icon'}), text: el('span', {})};
    this.badge.element = el('span', {class: 'badge'}, this.badge.icon, this.badge.text);
    this.title = el('h3', {id: `server-${server.name}`});
    this.id = el('span', {class: 'server-name mono'});
    this.trouble = el('p', {class: 'trouble'});
    this.facts = new Facts('facts');
    this.more = new Facts('facts more');
    this.latency = el('div', {class: 'latency'});
    this.problem = el('div', {class: 'problem', role: 'alert'});
    this.tools = makeTools(server.name);
    this.count = el('span', {class: 'dim'});
    this.buttons = Object.fromEntries(ACTIONS.map(([action, symbol]) => [action, this.makeButton(action, symbol)]));
    this.element = el('li', {class: 'card server', 'data-server': server.name, 'aria-labelledby': `server-${server.name}`},
      el('div', {class: 'server-head'}, el('div', {class: 'server-title'}, this.title, this.id, this.badge.element),
        el('div', {class: 'buttons'}, Object.values(this.buttons),
          el('button', {class: 'flat', 'aria-label': t('action-of', t('show-log'), server.name), onclick: () => actions.showLog(server.name)}, t('show-log')))),
      el('div', {class: 'server-body'}, this.facts.element, this.latency),
      this.trouble, this.problem,
      el('details', {class: 'section'}, el('summary', {}, t('tools'), ' ', this.count), this.tools.elements),
      el('details', {class: 'section'}, el('summary', {}, t('details')), this.more.element));
  }

  makeButton(action, symbol) {
    const text = t(action === 'health' ? 'check-health' : action);
    return el('button', {'data-action': action, 'aria-label': t('action-of', text, this.name), onclick: () => this.act(action)}, icon(symbol), text);
  }

  async act(action) {
    const button = this.buttons[action];
    if (button.hasAttribute('aria-busy') || button.hasAttribute('aria-disabled'))
      return;
    setAttribute(button, 'aria-busy', 'true');
    this.problem.replaceChildren();
    try {
      const server = await ask('POST', serverPath(this.name, `/${action}`));
      this.update(server);
      announce(t(`did-${action}`, this.name, tOr(`health-${server.health}`, server.health)));
    } catch (error) {
      this.complain(error.message);
    } finally {
      setAttribute(button, 'aria-busy', null);
      this.showButtons(this.server);
    }
  }

  complain(text) {
    this.problem.replaceChildren(el('div', {class: 'error-box'}, el('span', {}, text),
      el('button', {class: 'flat', 'aria-label': t('close'), onclick: () => this.problem.replaceChildren()}, '×')));
  }

  // A button that has the focus stays while it does its work, and while the server is on its way to another state: the
  // keyboard does not lose its place. Then the focus moves on to what can be done in that state.
  showButtons(server) {
    const state = fineState(server);
    const isOnTheWay = KINDS[state] === 'busy' || Object.values(this.buttons).some(button => button.hasAttribute('aria-busy'));
    const runs = RUNNING.has(state);
    const can = {start: !runs && !['disabled', 'stopping'].includes(state), stop: runs, restart: runs, health: ['ready', 'running', 'degraded', 'unhealthy'].includes(state)};
    for (const [action, button] of Object.entries(this.buttons)) {
      if (!can[action] && button === document.activeElement && !isOnTheWay)
        this.keepFocus(button, Object.keys(can).find(other => can[other]));
      button.hidden = !can[action] && button !== document.activeElement;
      setAttribute(button, 'aria-disabled', can[action] ? null : 'true');
    }
  }

  keepFocus(button, other) {
    if (!other)
      return;
    this.buttons[other].hidden = false;
    this.buttons[other].focus();
  }

  update(server) {
    this.server = server;
    this.since = performance.now() - uptimeOf(server) * 1000;
    const state = stateOf(server);
    setText(this.title, server.title || server.name);
    setText(this.id, server.title && server.title !== server.name ? server.name : '');
    setText(this.trouble, ['bad', 'warn'].includes(state.kind) ? server.last_error ?? server.last_failure ?? '' : '');
    setIcon(this.badge.icon, SYMBOLS[state.kind]);
    setText(this.badge.text, state.text);
    setAttribute(this.badge.element, 'data-kind', state.kind);
    this.showButtons(server);
    this.showFacts(server);
    this.showMore(server);
    this.showLatency(server.statistics?.recent_us);
    const tools = server.tools ?? [];
    setText(this.count, tools.length ? `(${formatCount(tools.length)})` : '');
    this.tools.show(tools);
  }

  showFacts(server) {
    const sandbox = sandboxOf(server);
    const health = server.health === 'n/a' || server.health === 'not-applicable' ? '–' : tOr(`health-${server.health}`, server.health);
    this.facts.set('health', health, {warn: server.health === 'unhealthy'});
    this.showUptime();
    this.facts.set('tools', formatCount(server.tools?.length || server.tools_count || 0));
    this.facts.set('memory', memoryOf(server) > 0 ? formatBytes(memoryOf(server)) : '–');
    this.facts.set('restarts', formatCount(server.restarts ?? 0), {warn: server.restarts > 0});
    this.facts.set('transport', server.transport);
    this.facts.set('sandbox', sandbox.text, {warn: sandbox.warn});
    this.facts.set('calls', callsOf(server));
  }

  showUptime() {
    const runs = this.server && uptimeOf(this.server) + (this.server.started_at ? 1 : 0) > 0 && RUNNING.has(fineState(this.server));
    this.facts.set('uptime', runs ? formatSeconds((performance.now() - this.since) / 1000) : '–');
  }

  showMore(server) {
    this.more.set('last-error', server.last_error ?? server.last_failure, {warn: true});
    this.more.set('starts', hasText(`starts-${server.start}`) ? t(`starts-${server.start}`) : server.start);
    this.more.set('pid', server.pid ? String(server.pid) : '', {mono: true});
    this.more.set('last-check', server.last_health_check ? formatTime(server.last_health_check) : '');
    this.more.set('command', server.command_text, {mono: true});
    this.more.set('source', server.source, {mono: true});
  }

  showLatency(values) {
    const usable = Array.isArray(values) ? values.filter(Number.isFinite).map(us => us / 1000) : [];
    const text = usable.join();
    if (this.latencyText === text)
      return;
    this.latencyText = text;
    this.latency.replaceChildren(...usable.length === 0 ? [] : [el('span', {class: 'dim', 'aria-hidden': 'true'}, t('latency')),
      drawSparkline(usable), el('span', {'aria-hidden': 'true'}, formatMs(usable[usable.length - 1]))]);
  }
}

function makeTotal(key) {
  const number = el('dd', {});
  const of = el('dd', {class: 'dim'});
  return {number, of, element: el('div', {class: 'card total', 'data-total': key}, el('dt', {}, t(`total-${key}`)), number, of)};
}

export function makeServersView(actions) {
  const totals = Object.fromEntries(['running', 'healthy', 'tools', 'waiting'].map(key => [key, makeTotal(key)]));
  const holder = el('ul', {class: 'cards'});
  const empty = el('p', {class: 'card notice', hidden: true}, t('no-servers'));
  const list = new KeyedList(holder, server => server.name, server => new ServerCard(server, actions), (card, server) => card.update(server));
  const servers = new Map();
  let waiting = 0;

  function showTotals() {
    const all = [...servers.values()];
    const running = all.filter(server => ['ready', 'running', 'degraded', 'unhealthy'].includes(fineState(server))).length;
    setText(totals.running.number, formatCount(running));
    setText(totals.running.of, t('of', formatCount(all.length)));
    setText(totals.healthy.number, formatCount(all.filter(server => server.health === 'healthy').length));
    setText(totals.healthy.of, t('of', formatCount(running)));
    setText(totals.tools.number, formatCount(all.reduce((sum, server) => sum + (server.tools?.length || server.tools_count || 0), 0)));
    setText(totals.waiting.number, formatCount(waiting));
  }

  function showAll(found) {
    servers.clear();
    found.forEach(server => servers.set(server.name, server));
    list.show(found);
    empty.hidden = found.length > 0;
    showTotals();
  }

  function showOne(server) {
    const entry = list.entries.get(server.name);
    if (!entry)
      return;
    servers.set(server.name, server);
    entry.update(server);
    showTotals();
  }

  // The server is as it was, but for what its calls have come to.
  function showCalls(data) {
    const server = servers.get(data.name);
    if (server)
      showOne({...server, ...data});
  }

  setInterval(() => list.entries.forEach(card => card.server && card.showUptime()), 1000);
  return {
    element: el('section', {'aria-labelledby': 'servers-title'},
      el('h2', {class: 'sr-only'}, t('totals')), el('dl', {class: 'totals'}, Object.values(totals).map(total => total.element)),
      el('h2', {id: 'servers-title'}, t('servers')), empty, holder),
    showAll, showOne, showCalls,
    showWaiting(n) { waiting = n; showTotals(); },
    names: () => [...servers.keys()],
  };
}
