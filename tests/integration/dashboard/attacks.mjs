// SPDX-License-Identifier: LGPL-2.1-or-later
// Pages of other origins, shown by the browser that is signed in to the dashboard: attacks.mjs CHROMIUM GMCPD SERVERS-FOLDER

import { createServer } from 'node:http';

import { assert, main, test, until } from '../clients/harness.mjs';
import { card, Daemon, launch, newPage, openDashboard, python, sees, takeComplaints } from './harness.mjs';

const daemon = await new Daemon({ victim: { ...python('managed-server.py'), start: 'manual' }, wanted: python('managed-server.py') }).start();
const evil = createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end('<!DOCTYPE html><title>Other</title><body></body>');
});
await new Promise((done) => { evil.listen(0, '127.0.0.1', done); });
const evilPort = evil.address().port;
let page = null;

// All that a page can send without being let in; what each came to.
function attack(target) {
  const api = `${target}/api/v1/mcp/`;
  const settle = (promise) => promise.then((value) => String(value), (error) => `failed: ${error}`);
  const fetched = (path, options) => settle(fetch(api + path, { credentials: 'include', ...options }).then(async (response) =>
    response.type === 'opaque' ? 'opaque' : `${response.status} ${(await response.text()).slice(0, 200)}`));
  const loaded = (tag, attributes) => settle(new Promise((done) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = () => done('loaded');
    element.onerror = () => done('not loaded');
    document.body.append(element);
    setTimeout(() => done('nothing'), 2000);
  }));
  const formed = () => settle(new Promise((done) => {
    const form = Object.assign(document.createElement('form'), { method: 'POST', action: `${api}servers/victim/start`, target: 'sink', enctype: 'text/plain' });
    const frame = Object.assign(document.createElement('iframe'), { name: 'sink' });
    document.body.append(frame, form);
    frame.onload = () => setTimeout(() => done('sent'), 300);
    form.submit();
    setTimeout(() => done('sent'), 2000);
  }));
  const streamed = () => settle(new Promise((done) => {
    const source = new EventSource(`${api}events`, { withCredentials: true });
    source.addEventListener('servers', () => done('events'));
    source.onerror = () => done('no events');
  }));
  const json = { 'Content-Type': 'application/json', 'X-Gmcp-Dashboard': '1' };
  return Promise.all([
    fetched('servers'), fetched('servers', { mode: 'no-cors' }), fetched('servers/wanted/tools', { mode: 'no-cors' }),
    fetched('servers/victim/start', { method: 'POST', mode: 'no-cors', body: '{}' }), fetched('servers/victim/start', { method: 'POST', headers: json, body: '{}' }),
    fetched('servers', { method: 'POST', headers: json, body: JSON.stringify({ name: 'evil', command: 'true' }) }),
    fetched('sign-in-links', { method: 'POST', mode: 'no-cors' }), formed(), streamed(),
    loaded('img', { src: `${api}servers/wanted/tools` }), loaded('script', { src: `${api}servers` }),
  ]);
}

async function checkNothingHappened(results) {
  for (const result of results)
    assert.doesNotMatch(result, /victim|"state"|^2\d\d |^events/, result);
  const { servers } = await daemon.get('servers');
  assert.deepEqual(servers.map(({ name, state }) => `${name} ${state}`), ['victim stopped', 'wanted stopped']);
}

test('the person is signed in', async () => {
  await launch();
  page = await openDashboard(daemon);
  await sees(card(page, 'victim').locator('.badge'), 'Manual');
});

for (const origin of ['http://127.0.0.1', 'http://localhost', 'http://evil.example']) {
  test(`a page of ${origin} at another port can do nothing`, async () => {
    const other = await newPage(page.context());
    await other.goto(`${origin}:${evilPort}/`);
    await checkNothingHappened(await other.evaluate(attack, daemon.origin));
    // Nor where it has the name that the cookie is for.
    await checkNothingHappened(await other.evaluate(attack, `http://localhost:${daemon.port}`));
    await other.close();
  });
}

test('the dashboard cannot be framed', async () => {
  const other = await newPage(page.context());
  await other.goto(`http://127.0.0.1:${evilPort}/`);
  const frame = await other.evaluateHandle((address) => {
    const element = document.createElement('iframe');
    element.src = address;
    document.body.append(element);
    return new Promise((done) => { element.onload = () => done(element); });
  }, daemon.origin);
  const inner = await frame.asElement().contentFrame();
  assert.equal(await inner.locator('#main').count().catch(() => 0), 0);
  await other.close();
});

test('a name that was rebound to this machine can do nothing', async () => {
  const other = await newPage(page.context());
  const response = await other.goto(`http://rebound.example:${daemon.port}/`);
  assert.equal(response.status(), 403);
  // A page that was loaded before its name was rebound is of that origin.
  await other.route(`http://rebound.example:${daemon.port}/old`, (route) => route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><body></body>' }));
  await other.goto(`http://rebound.example:${daemon.port}/old`);
  await checkNothingHappened(await other.evaluate(attack, `http://rebound.example:${daemon.port}`));
  await other.close();
});

test('a link of a page to the dashboard is only that', async () => {
  const other = await newPage(page.context());
  await other.goto(`http://evil.example:${evilPort}/`);
  await Promise.all([other.waitForURL(`${daemon.origin}/**`), other.evaluate((address) => { location.href = address; }, `${daemon.origin}/`)]);
  await sees(other.locator('#link-state'), 'Live');
  assert.equal(await other.evaluate(() => document.referrer.includes('sign-in')), false);
  await other.close();
});

test('the person is signed in still', async () => {
  await card(page, 'wanted').locator('[data-action=start]').click();
  await sees(card(page, 'wanted').locator('.badge'), 'Running');
  await until(async () => (await daemon.get('servers/wanted')).state === 'running', 'the server');
  takeComplaints();
  evil.close();
});

await main();
