// SPDX-License-Identifier: LGPL-2.1-or-later
// The dashboard in a browser, with real servers: dashboard.mjs CHROMIUM GMCPD SERVERS-FOLDER

import { assert, main, test, until } from '../clients/harness.mjs';
import {
  Cable, card, checkAccess, checkWidth, Daemon, everything, fact, file, launch, newContext, newPage, openDashboard, openTool, python, sees,
  takeComplaints, takePicture,
} from './harness.mjs';

const MARKUP = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const object = (properties, more = {}) => ({ type: 'object', properties, ...more });
const many = (length, make) => Array.from({ length }, (_, i) => make(i));
const fromNames = (n, make) => Object.fromEntries(many(n, (i) => [make(i), 1]));
const tools = [
  {
    name: 'plain', description: 'Fields of each kind',
    inputSchema: object({
      text: { type: 'string', title: 'A text', description: 'Said of it' }, count: { type: 'integer', minimum: 1, maximum: 9 }, share: { type: 'number' },
      flag: { type: 'boolean' }, on: { type: 'boolean', default: true }, color: { enum: ['red', 'green', 3] },
      titled: { oneOf: [{ const: 'a', title: 'First' }, { const: 'b', title: 'Second' }] }, mail: { type: 'string', format: 'email' },
      maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }, { required: ['text', 'count'] }),
  },
  {
    name: 'nested',
    inputSchema: object({
      place: { $ref: '#/$defs/place' }, names: { type: 'array', items: { type: 'string' }, minItems: 1 },
      days: { type: 'array', uniqueItems: true, items: { enum: ['mo', 'tu', 'we'] } },
      points: { type: 'array', items: object({ x: { type: 'number' }, y: { type: 'number', default: 5 } }, { required: ['x'] }) },
      free: { type: 'object', additionalProperties: true }, either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    }, { $defs: { place: object({ town: { type: 'string' }, geo: object({ lat: { type: 'number' } }) }, { required: ['town'] }) } }),
  },
  { name: 'bare', inputSchema: { type: 'object' } },
  { name: 'markup', title: MARKUP, description: MARKUP, inputSchema: object({ [MARKUP]: { type: 'string', description: MARKUP, enum: [MARKUP] } }), answer: text(MARKUP) },
  { name: 'rows', inputSchema: object({}), answer: { ...text('x'), structuredContent: { items: [{ name: 'one', size: 1 }, { name: MARKUP, more: { deep: [1, 2] } }] } } },
  { name: 'picture', inputSchema: object({}), answer: { content: [{ type: 'image', mimeType: 'image/png', data: PIXEL },
    { type: 'image', mimeType: 'text/html', data: btoa(MARKUP) }, { type: 'resource_link', uri: 'javascript:alert(1)', name: 'A link' },
    { type: 'resource', resource: { uri: 'mem:x', mimeType: 'text/plain', text: 'Inside' } }, { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] } },
  { name: 'wide', inputSchema: object({}), answer: { ...text('x'), structuredContent: { rows: many(200, (row) => fromNames(600, (i) => `k${row}_${i}`)) } } },
  { name: 'many', inputSchema: object({}), answer: { ...text('x'), structuredContent: { rows: many(200, () => ({ inner: many(60, () => ({ a: 1 })) })) } } },
  { name: 'long', inputSchema: object({}), answer: { content: [{ type: 'text', text: 'y'.repeat(2 ** 20 + 5) }, ...many(300, () => ({ type: 'text', text: 'z' }))] } },
  { name: 'failing', inputSchema: object({}), answer: { ...text('That went wrong'), isError: true } },
];

const servers = {
  everything: everything(),
  forms: python('schema-server.py', file('tools.json', JSON.stringify(tools))),
  manual: { ...python('managed-server.py', '--tools', 'echo,pid'), start: 'manual' },
  broken: { command: '/bin/false' },
};
const daemon = await new Daemon(servers).start();
// Stands between the browser and the daemon where that is called localhost.
const cable = await new Cable(daemon.port).mend();
let page = null;

test('without a sign-in the page says how, and nothing else', async () => {
  await launch(`MAP localhost:${daemon.port} 127.0.0.1:${cable.port}`);
  const stranger = await newPage(await newContext());
  await stranger.goto(daemon.origin);
  await sees(stranger.locator('main h2'), 'You are not signed in');
  assert.match(await stranger.locator('main').innerText(), /gmcp dashboard/);
  assert.equal(await stranger.locator('.server').count(), 0);
  await checkAccess(stranger, 'signed out');
  await takePicture(stranger, 'sign-in');
  assert.deepEqual(takeComplaints(/status of 401/), []);

  // The link signs in, once; the address keeps nothing of it.
  const link = await daemon.makeLink();
  await stranger.goto(link);
  await sees(stranger.locator('#link-state'), 'Live');
  assert.equal(stranger.url().replace(/#.*/, ''), `${daemon.origin}/`);
  const other = await newPage(await newContext());
  await other.goto(link);
  await sees(other.locator('main'), /used already/);
  await other.goto(await daemon.makeLink());
  await sees(other.locator('#link-state'), 'Live');
  await stranger.context().close();
  await other.context().close();
  takeComplaints(/status of 401/);
});

test('totals, and how each server is', async () => {
  for (const name of ['everything', 'forms'])
    assert.equal((await daemon.ask('POST', `servers/${name}/start`)).status, 200);
  await daemon.ask('POST', 'servers/broken/start');
  page = await openDashboard(daemon);
  await sees(page.locator('[data-total=running]'), /^Running\s+2\s+of 4$/);
  await sees(page.locator('[data-total=healthy]'), /^Healthy\s+2\s+of 2$/);
  await sees(card(page, 'everything').locator('.badge'), 'Running');
  await sees(card(page, 'manual').locator('.badge'), 'Manual');
  await sees(card(page, 'broken').locator('.badge'), /Failed|Waiting to restart/);
  await sees(card(page, 'broken').locator('.trouble'), /exited with status 1/);
  await sees(fact(page, 'everything', 'health'), 'Healthy');
  await sees(fact(page, 'everything', 'uptime'), /^\d+ (s|min)/);
  await sees(fact(page, 'everything', 'memory'), /^[\d.,]+ MB$/);
  await sees(fact(page, 'everything', 'restarts'), '0');
  await sees(fact(page, 'everything', 'transport'), 'stdio');
  await sees(fact(page, 'everything', 'sandbox'), 'Without a sandbox');
  const { tools_count: count } = await daemon.get('servers/everything');
  await sees(fact(page, 'everything', 'tools'), String(count));
  await card(page, 'everything').getByText('Details').click();
  await sees(fact(page, 'everything', 'command'), /server-everything/);
});

test('start, stop and restart by the keyboard, with the focus where it was', async () => {
  const button = (name) => card(page, 'manual').locator(`[data-action=${name}]`);
  await button('start').focus();
  await page.keyboard.press('Enter');
  await sees(card(page, 'manual').locator('.badge'), 'Running');
  await sees(page.locator('#announcer'), 'manual runs');
  await until(() => page.evaluate(() => document.activeElement.dataset.action === 'stop'), 'the focus at what can be done now');
  const { pid } = await daemon.get('servers/manual');
  await button('restart').focus();
  await page.keyboard.press(' ');
  await until(async () => ![pid, null].includes((await daemon.get('servers/manual')).pid), 'another process');
  await until(() => button('restart').evaluate((element) => !element.hasAttribute('aria-busy')), 'the end of the restart');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.action), 'restart');
  // Others that change meanwhile take no focus.
  await daemon.ask('POST', 'servers/forms/restart');
  await sees(card(page, 'forms').locator('.badge'), 'Running');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.action), 'restart');
  await button('stop').click();
  await sees(card(page, 'manual').locator('.badge'), 'Manual');
  assert.equal((await daemon.get('servers/manual')).state, 'stopped');
});

test('the health of a server, looked at when it is asked for', async () => {
  const { last_health_check: before } = await daemon.get('servers/everything');
  await card(page, 'everything').locator('[data-action=health]').click();
  await sees(page.locator('#announcer'), 'everything: Healthy');
  assert.notEqual((await daemon.get('servers/everything')).last_health_check, before);
});

test('what fails is said where it was asked for', async () => {
  await card(page, 'broken').locator('[data-action=start]').click();
  await sees(card(page, 'broken').locator('.problem'), /did not start/);
  assert.equal(await card(page, 'broken').locator('.problem').getAttribute('role'), 'alert');
  await card(page, 'broken').getByRole('button', { name: 'Close' }).click();
  assert.equal(await card(page, 'broken').locator('.error-box').count(), 0);
  takeComplaints(/status of 502/);
});

test('what others do is shown as it happens', async () => {
  await daemon.ask('POST', 'servers/manual/start');
  await sees(card(page, 'manual').locator('.badge'), 'Running');
  await sees(page.locator('[data-total=running]'), /\b3\b/);
  const added = await daemon.ask('POST', 'servers', { name: 'later', ...python('managed-server.py') });
  assert.equal(added.status, 201);
  await sees(card(page, 'later').locator('h3'), 'later');
  await daemon.ask('DELETE', 'servers/later');
  await card(page, 'later').waitFor({ state: 'detached' });
  await daemon.ask('POST', 'servers/manual/stop');
  await sees(card(page, 'manual').locator('.badge'), 'Manual');
});

async function call(tool, fill) {
  const element = await openTool(page, 'forms', tool);
  await fill(element);
  await element.locator('button[type=submit]').click();
  await element.locator('.result > *').first().waitFor();
  return element;
}

const echoed = async (element) => JSON.parse(await element.locator('.result-block pre').first().innerText());

test('a form made from the schema: each kind of field', async () => {
  const element = await call('plain', async (form) => {
    assert.equal(await form.locator('.about').innerText(), 'Fields of each kind');
    await form.locator('button[type=submit]').click();
    // What is required is said there, and has the focus.
    await sees(form.locator('.field-error:not(:empty)'), 'This is required.');
    assert.equal(await form.getByLabel('A text').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-invalid')), 'true');
    await form.getByLabel('A text').fill('Ä "quoted"\nsecond line');
    for (const [value, said] of [['x', /number/], ['1.5', /whole/], ['0', /At least 1/], ['10', /At most 9/]]) {
      await form.getByLabel('count').fill(value);
      await form.locator('button[type=submit]').click();
      await sees(form.locator('.field-error:not(:empty)'), said);
    }
    await form.getByLabel('count').fill('7');
    await form.getByLabel('share').fill('-0.25');
    await form.getByLabel('flag').selectOption('No');
    assert.ok(await form.getByLabel('on', { exact: true }).isChecked());
    await form.getByLabel('color').selectOption('3');
    await form.getByLabel('titled').selectOption('Second');
  });
  assert.deepEqual(await echoed(element), { text: 'Ä "quoted"\nsecond line', count: 7, share: -0.25, flag: false, on: true, color: 3, titled: 'b' });
});

test('a form made from the schema: lists, groups and JSON', async () => {
  const element = await call('nested', async (form) => {
    await form.getByLabel('town').fill('Ulm');
    await form.getByLabel('lat').fill('48.4');
    const names = form.getByRole('group', { name: 'names' });
    for (const name of ['one', 'two', 'three']) {
      await names.getByRole('button', { name: 'Add to names' }).click();
      await page.keyboard.type(name);
    }
    await names.getByRole('button', { name: 'Remove item 2' }).click();
    await form.getByLabel('tu').check();
    await form.getByLabel('we').check();
    await form.getByRole('button', { name: 'Add to points' }).click();
    await form.getByLabel('x', { exact: false }).last().fill('3');
    await form.getByLabel('free').fill('{"a": ');
    await form.locator('button[type=submit]').click();
    await sees(form.locator('.field-error:not(:empty)'), 'This is no JSON.');
    await form.getByLabel('free').fill('{"a": [1, null]}');
    await form.getByLabel('either').fill('5');
  });
  const wanted = { place: { town: 'Ulm', geo: { lat: 48.4 } }, names: ['one', 'three'], days: ['tu', 'we'], points: [{ x: 3, y: 5 }], free: { a: [1, null] }, either: 5 };
  assert.deepEqual(await echoed(element), wanted);
  // The same as JSON, and back.
  await element.getByRole('button', { name: 'Edit as JSON' }).click();
  const area = element.getByLabel('Arguments');
  assert.deepEqual(JSON.parse(await area.inputValue()), wanted);
  await area.fill('[]');
  await element.locator('button[type=submit]').click();
  await sees(element.locator('.field-error:not(:empty)'), /JSON object/);
  await area.fill('{"place": {"town": "Bonn"}, "names": ["x"]}');
  await element.getByRole('button', { name: 'Edit as a form' }).click();
  assert.equal(await element.getByLabel('town').inputValue(), 'Bonn');
  await element.locator('button[type=submit]').click();
  await until(async () => (await echoed(element)).place?.town === 'Bonn', 'the answer to the other arguments');
  assert.deepEqual(await echoed(element), { place: { town: 'Bonn' }, names: ['x'] });
});

test('a tool without arguments, and its schemas', async () => {
  const element = await call('bare', async (form) => {
    await sees(form, /takes no arguments/);
    await form.locator('details.schema > summary').click();
    assert.deepEqual(JSON.parse(await form.locator('details.schema pre').innerText()), { type: 'object' });
  });
  assert.deepEqual(await echoed(element), {});
  const structured = await openTool(page, 'everything', 'get-structured-content');
  await structured.getByText('Schema of the result').click();
  assert.match(await structured.locator('details.schema[open] pre').innerText(), /temperature/);
});

test('results: tables, images, errors', async () => {
  const rows = await call('rows', async () => {});
  assert.deepEqual(await rows.locator('.result thead th').allInnerTexts(), ['name', 'size', 'more']);
  assert.deepEqual(await rows.locator('.result tbody > tr:first-child > td').first().innerText(), 'one');
  assert.match(await rows.locator('.result').innerText(), /deep/);
  const picture = await call('picture', async () => {});
  assert.equal(await picture.locator('.result img').count(), 1);
  assert.equal(await picture.locator('.result img').evaluate((image) => image.decode().then(() => image.naturalWidth)), 1);
  assert.match(await picture.locator('.result').innerText(), /text\/html[^]*A link[^]*javascript:alert[^]*Inside[^]*audio\/wav/);
  assert.equal(await picture.locator('.result a').count(), 0);
  const failing = await call('failing', async () => {});
  assert.match(await failing.locator('.result').innerText(), /reports an error[^]*That went wrong/);
  // The page's own refresh is held back, so that only the stream of events can bring what the calls took.
  const held = [];
  const list = `${daemon.origin}/api/v1/mcp/servers`;
  let isHeld = true;
  await page.route(list, (route) => isHeld ? void held.push(route) : route.continue());
  try {
    const everythingImage = await openTool(page, 'everything', 'get-tiny-image');
    await everythingImage.locator('button[type=submit]').click();
    await everythingImage.locator('.result img').waitFor();
    const weather = await openTool(page, 'everything', 'get-structured-content');
    await weather.evaluate((element) => { element.open = true; });
    await weather.getByLabel('location').selectOption('Chicago');
    await weather.locator('button[type=submit]').click();
    await sees(weather.locator('.result table'), /temperature[^]*conditions[^]*humidity/);
    // How long its last calls took.
    const line = card(page, 'everything').locator('.sparkline');
    await until(async () => /last [2-9] calls: .* ms/.test(await line.getAttribute('aria-label')), 'the latency of both calls');
  } finally {
    // What is still held where nothing is looked at any more goes on by itself, and cannot be sent on.
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('results that are too large for tables, or to be shown as a whole', async () => {
  const limit = 12_000;
  const count = (element) => element.locator('.result *').count();
  for (const name of ['wide', 'many']) {
    const element = await call(name, async () => {});
    await sees(element.locator('.result-content > pre'), /"rows"/);
    assert.equal(await element.locator('.result table').count(), 0);
    assert.ok(await count(element) < limit, `${name} has ${await count(element)} elements`);
  }
  const wide = page.locator('[data-tool=wide] .result-content > pre');
  assert.match(await wide.innerText(), /… [\d,]+ more characters$/);
  const long = await call('long', async () => {});
  const first = await long.locator('.result-block pre').first().innerText();
  assert.match(first, /^y{1048576}\s*… 5 more characters$/);
  assert.equal(await long.locator('.result-block').count(), 200);
  await sees(long.locator('.result-content > .cut'), '… 101 more');
});

test('what servers say is text', async () => {
  const element = await call('markup', async (form) => {
    await form.getByLabel(MARKUP).selectOption(MARKUP);
  });
  assert.equal(await element.locator('.result-block pre').innerText(), MARKUP);
  assert.match(await element.locator('> summary').innerText(), /<script>/);
  assert.equal(await page.locator('main script, main img[src=x]').count(), 0);
  assert.equal(await page.title(), 'MCP servers');
});

test('the log, as it is written', async () => {
  await page.getByRole('link', { name: 'Log' }).click();
  await sees(page.locator('.log'), /Server “everything” is ready/);
  await page.locator('#log-server').selectOption('manual');
  await page.locator('.log-line[data-server=manual]').first().waitFor();
  await until(async () => await page.locator('.log-line:visible:not([data-server=manual])').count() === 0, 'the log of one server');
  await daemon.ask('POST', 'servers/manual/start');
  const { pid } = await daemon.get('servers/manual');
  await sees(page.locator('.log'), new RegExp(`PID ${pid}`));
  await page.locator('#log-search').fill('stopped');
  await daemon.ask('POST', 'servers/manual/stop');
  await sees(page.locator('.log-line:visible').last(), /stopped/);
  assert.equal(await page.locator('.log-line:visible', { hasText: 'is ready' }).count(), 0);
  await page.locator('#log-search').fill('nothing has this');
  await sees(page.locator('section:visible > p.dim'), /Nothing is in the log/);
  await page.locator('#log-search').fill('');
  await page.locator('#log-server').selectOption('');
  await page.locator('#log-level').selectOption('warning');
  const lesser = page.locator('.log-line:visible:not([data-level=warning]):not([data-level=error])');
  await until(async () => await lesser.count() === 0 && await page.locator('.log-line:visible').count() > 0, 'what matters alone');
  await page.locator('#log-level').selectOption('');
  await page.getByRole('link', { name: 'Servers' }).click();
  await card(page, 'broken').getByRole('button', { name: 'Log: broken' }).click();
  assert.equal(await page.locator('#log-server').inputValue(), 'broken');
  await sees(page.locator('.log'), /did not start/);
});

test('no complaint of the browser in all that', () => {
  assert.deepEqual(takeComplaints(), []);
});

test('cut off, and back again', async () => {
  await page.context().close();
  page = await newPage(await newContext());
  await page.goto((await daemon.makeLink()).replace('127.0.0.1', 'localhost'));
  await sees(page.locator('#link-state'), 'Live');
  cable.cut();
  await sees(page.locator('#link-state'), /Cut off/);
  await daemon.ask('POST', 'servers/manual/start');
  await cable.mend();
  await sees(page.locator('#link-state'), 'Live');
  await sees(card(page, 'manual').locator('.badge'), 'Running');
  // Another daemon knows nobody.
  await daemon.stop();
  await sees(page.locator('#link-state'), /Cut off/);
  await daemon.start();
  await sees(page.locator('main h2'), 'You are not signed in');
  await page.context().close();
  takeComplaints();
});

test('languages', async () => {
  for (const name of ['everything', 'forms'])
    await daemon.ask('POST', `servers/${name}/start`);
  for (const [locale, lang, title] of [['de-AT', 'de', 'MCP-Server'], ['zh-CN', 'zh', 'MCP 服务器'], ['fr-FR', 'en', 'MCP servers']]) {
    const other = await openDashboard(daemon, { locale });
    assert.deepEqual(await other.evaluate(() => [document.documentElement.lang, document.title]), [lang, title]);
    const texts = await other.evaluate(async () => {
      const { default: _, ...module } = await import('/texts.js');
      return module.missing();
    });
    assert.deepEqual(texts, [], locale);
    await other.context().close();
  }
});

test('rules of accessibility, widths and pictures', async () => {
  for (const [name, options] of Object.entries({
    light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, phone: { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true },
    'phone-dark': { viewport: { width: 375, height: 800 }, colorScheme: 'dark' }, 'narrow': { viewport: { width: 320, height: 640 }, locale: 'de' },
  })) {
    page = await openDashboard(daemon, options);
    await sees(card(page, 'everything').locator('.badge'), /.+/);
    await takePicture(page, `servers-${name}`);
    await checkAccess(page, `servers, ${name}`);
    await checkWidth(page, `servers, ${name}`);
    const tool = await openTool(page, 'everything', 'get-structured-content');
    await tool.locator('select').selectOption('Chicago');
    await tool.locator('button[type=submit]').click();
    await tool.locator('.result table').waitFor();
    await (await openTool(page, 'forms', 'nested')).locator('fieldset').first().waitFor();
    await tool.scrollIntoViewIfNeeded();
    await takePicture(page, `tool-${name}`);
    await checkAccess(page, `a tool, ${name}`);
    await checkWidth(page, `a tool, ${name}`);
    for (const view of ['log', 'audit']) {
      await page.locator(`[data-view=${view}]`).click();
      if (view === 'log')
        await page.locator('.log-line').first().waitFor();
      await takePicture(page, `${view}-${name}`);
      await checkAccess(page, `${view}, ${name}`);
      await checkWidth(page, `${view}, ${name}`);
    }
    await page.context().close();
  }
});

test('landmarks, and the way of the keyboard', async () => {
  page = await openDashboard(daemon);
  for (const role of ['banner', 'navigation', 'main'])
    assert.equal(await page.getByRole(role).count(), 1, role);
  await page.evaluate(() => document.body.focus());
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await sees(page.locator('#servers-title'), 'Servers');
  // All that can be used is reached, and what has the focus shows it.
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => {
      const found = document.activeElement;
      return found.dataset.action ?? found.closest('summary')?.innerText ?? found.innerText;
    }));
  }
  for (const wanted of ['start', 'stop', 'restart', 'health', 'Log', 'Details'])
    assert.ok(reached.has(wanted), `${wanted} in ${[...reached].join(', ')}`);
  await page.locator('[data-view=log]').focus();
  await page.keyboard.press('Enter');
  await page.locator('.log').waitFor();
  assert.equal(await page.locator('[data-view=log]').getAttribute('aria-current'), 'page');
  await page.goBack().catch(() => {});
  assert.deepEqual(takeComplaints(), []);
  await page.context().close();
});

await main();
