// SPDX-License-Identifier: LGPL-2.1-or-later
// The page as a whole: which view is shown, and what the stream of events brings to each.

import {ask, Events} from './api.js';
import {makeAuditView} from './audit.js';
import {el, setAttribute, setText} from './dom.js';
import {makeLogView} from './log.js';
import {makeServersView} from './servers.js';
import {language, t} from './texts.js';
import {makeWaiting} from './waiting.js';

// What no event tells, such as memory of a server that nobody calls, is read again after this.
const REFRESH_MS = 15000;
const EVENTS = ['servers', 'server', 'calls', 'notice', 'question', 'question-gone', 'change', 'log'];

const main = document.getElementById('main');
const nav = document.getElementById('views');
const linkState = document.getElementById('link-state');

function translatePage() {
  document.documentElement.lang = language;
  document.title = t('title');
  document.querySelectorAll('[data-text]').forEach(element => setText(element, t(element.dataset.text)));
  document.querySelectorAll('[data-label]').forEach(element => setAttribute(element, 'aria-label', t(element.dataset.label)));
}

function showLink(state) {
  setText(linkState, t(`link-${state}`));
  linkState.dataset.state = state;
}

const waiting = makeWaiting(n => servers.showWaiting(n));
const servers = makeServersView({showLog: name => show('log', name)});
const log = makeLogView(() => servers.names());
const audit = makeAuditView(() => servers.names());
const views = {servers: {element: servers.element, open() {}, close() {}}, log, audit};
const links = {};
let current = null;

function show(name, argument) {
  if (current !== null)
    views[current].close();
  current = name;
  for (const [other, view] of Object.entries(views)) {
    view.element.hidden = other !== name;
    setAttribute(links[other], 'aria-current', other === name ? 'page' : null);
  }
  if (location.hash.slice(1) !== name)
    history.replaceState(null, '', `#${name}`);
  return views[name].open(argument);
}

const chosenView = () => Object.hasOwn(views, location.hash.slice(1)) ? location.hash.slice(1) : 'servers';

function buildPage() {
  for (const name of Object.keys(views)) {
    links[name] = el('a', {href: `#${name}`, 'data-view': name}, t(`view-${name}`));
    nav.append(links[name]);
  }
  addEventListener('hashchange', () => chosenView() !== current && show(chosenView()));
}

function showPage() {
  nav.hidden = false;
  main.replaceChildren(...waiting.elements, ...Object.values(views).map(view => view.element));
  show(chosenView());
}

function showSignIn() {
  nav.hidden = true;
  showLinkNone();
  main.replaceChildren(el('section', {class: 'card notice sign-in', 'aria-labelledby': 'sign-in-title'},
    el('img', {src: '/icon.svg', alt: '', width: 96, height: 96}),
    el('h2', {id: 'sign-in-title'}, t('sign-in-title')), location.hash === '#used' ? el('p', {class: 'warn-text'}, t('sign-in-used')) : null,
    el('p', {}, t('sign-in-how')),
    el('pre', {class: 'code', tabindex: 0}, 'gmcp dashboard'), el('p', {class: 'dim'}, t('sign-in-once')),
    el('button', {class: 'suggested', onclick: () => start()}, t('try-again'))));
}

function showLinkNone() {
  setText(linkState, '');
  delete linkState.dataset.state;
}

function showFailure(error) {
  main.replaceChildren(el('section', {class: 'card notice'}, el('h2', {}, t('load-failed')), el('p', {}, error.message),
    el('button', {class: 'suggested', onclick: () => start()}, t('try-again'))));
}

function showServers(data) {
  servers.showAll(data.servers ?? []);
  log.showNames();
}

const takers = {
  servers: showServers,
  server: data => servers.showOne(data),
  calls: data => servers.showCalls(data),
  notice: data => hasLogEvents || log.add({time: new Date().toISOString(), origin: 'manager', ...data}),
  question: data => waiting.addQuestion(data),
  'question-gone': data => waiting.removeQuestion(data.id),
  change: () => waiting.loadChanges(),
  log: data => {
    hasLogEvents = true;
    log.add(data);
  },
};
let hasLogEvents = false;
let wasLost = false;

const events = new Events(EVENTS, {
  open() {
    showLink('open');
    if (wasLost) {
      waiting.load();
      log.reload();
    }
    wasLost = false;
  },
  lost() {
    wasLost = true;
    showLink('lost');
  },
  signedOut: showSignIn,
  event: (name, data) => takers[name]?.(data),
});

async function refresh() {
  if (document.hidden || linkState.dataset.state !== 'open')
    return;
  try {
    showServers(await ask('GET', 'servers'));
  } catch {
    // The stream of events notices what is wrong.
  }
}

async function start() {
  showLink('opening');
  try {
    showServers(await ask('GET', 'servers'));
  } catch (error) {
    if (error.isSignedOut)
      showSignIn();
    else
      showFailure(error);
    return;
  }
  showPage();
  events.connectNow();
  await waiting.load();
}

translatePage();
buildPage();
setInterval(refresh, REFRESH_MS);
start();
