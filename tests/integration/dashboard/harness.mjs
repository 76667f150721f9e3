// SPDX-License-Identifier: LGPL-2.1-or-later
// A gmcpd with real servers, and Chromium at its dashboard.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { assert, require, until } from '../clients/harness.mjs';

function load(name) {
  try {
    return require(name);
  } catch {
    console.log(`1..0 # SKIP ${name} is not among the npm packages; ./dev test installs it`);
    process.exit(0);
  }
}

const { chromium } = load('playwright-core');

export const LIMIT_MS = 60000;
const [chromiumPath, gmcpd, serversFolder] = process.argv.slice(2).map((path) => resolve(path));
const pictures = join(process.env.GMCP_BUILD_DIR, 'dashboard-pictures');
const axe = load('axe-core').source;

const folder = mkdtempSync(join(tmpdir(), 'gmcp-dashboard-'));
const children = new Set();
process.on('exit', () => {
  for (const child of children)
    child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
mkdirSync(pictures, { recursive: true });

export const python = (script, ...args) => ({ command: '/usr/bin/python3', args: [join(serversFolder, script), ...args] });
export const node = (script, ...args) => ({ command: process.execPath, args: [script, ...args] });
export const everything = () => node(require.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
export const file = (name, text) => {
  const path = join(folder, name);
  if (text !== undefined)
    writeFileSync(path, text);
  return path;
};

let daemons = 0;

export class Daemon {
  constructor(servers, more = {}) {
    this.home = file(`daemon-${++daemons}`);
    mkdirSync(join(this.home, 'run'), { recursive: true, mode: 0o700 });
    this.config = join(this.home, 'mcp.json');
    writeFileSync(this.config, JSON.stringify({ mcpServers: servers, ...more }));
    this.env = { ...process.env, HOME: this.home, LC_ALL: 'C.UTF-8', XDG_RUNTIME_DIR: join(this.home, 'run') };
    for (const name of ['STATE', 'CACHE', 'CONFIG', 'DATA'])
      this.env[`XDG_${name}_HOME`] = join(this.home, name.toLowerCase());
    delete this.env.DBUS_SESSION_BUS_ADDRESS;
  }

  // Again at the same port, once it has been open.
  async start() {
    this.process = spawn(gmcpd, ['--no-bus', '--config', this.config, '--control-port', String(this.port ?? 0)],
      { env: this.env, stdio: ['ignore', 'inherit', 'pipe'] });
    children.add(this.process);
    this.process.on('exit', () => children.delete(this.process));
    for await (const line of createInterface({ input: this.process.stderr })) {
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(line);
      if (found) {
        this.port = Number(found[1]);
        break;
      }
    }
    this.process.stderr.resume();
    this.origin = `http://127.0.0.1:${this.port}`;
    this.token = readFileSync(join(this.env.XDG_STATE_HOME, 'gmcp', 'control-token'), 'utf8').trim();
    return this;
  }

  async stop() {
    const ended = new Promise((done) => { this.process.on('exit', done); });
    this.process.kill();
    await ended;
  }

  // What a program that has the token is answered.
  async ask(method, path, body) {
    const response = await fetch(`${this.origin}/api/v1/mcp/${path}`, {
      method, body: body && JSON.stringify(body),
      headers: { Authorization: `Bearer ${this.token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    });
    return { status: response.status, json: response.status === 204 ? null : await response.json() };
  }

  async get(path) {
    const { status, json } = await this.ask('GET', path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
    return json;
  }

  async makeLink() {
    const { status, json } = await this.ask('POST', 'sign-in-links');
    assert.equal(status, 201, JSON.stringify(json));
    return json.url;
  }
}

let browser = null;
const complaints = [];

// What the browser itself complains of: of scripts, of the policy, of what is not there.
function listen(page) {
  page.setDefaultTimeout(LIMIT_MS);
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.text()} (${message.location().url})`);
  });
}

// A connection to a port that can be cut.
export class Cable {
  constructor(target) {
    this.sockets = new Set();
    this.server = createServer((socket) => {
      const other = connect(target, '127.0.0.1');
      for (const [one, two] of [[socket, other], [other, socket]]) {
        this.sockets.add(one);
        one.on('error', () => {}).on('close', () => { this.sockets.delete(one); two.destroy(); });
        one.pipe(two);
      }
    });
  }

  async mend() {
    await new Promise((done) => { this.server.listen(this.port ?? 0, '127.0.0.1', done); });
    this.port = this.server.address().port;
    return this;
  }

  cut() {
    this.server.close();
    for (const socket of this.sockets)
      socket.destroy();
  }
}

export async function launch(...rules) {
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...(process.getuid() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', `--host-resolver-rules=${['MAP *.example 127.0.0.1', ...rules].join()}`],
  });
}

export async function newContext(options = {}) {
  return browser.newContext({ viewport: { width: 1200, height: 900 }, locale: 'en-US', timezoneId: 'UTC', ...options });
}

export async function newPage(context) {
  const page = await context.newPage();
  listen(page);
  return page;
}

// A page at the dashboard, signed in.
export async function openDashboard(daemon, options = {}, path = '/') {
  const context = await newContext(options);
  const page = await newPage(context);
  await page.goto(await daemon.makeLink());
  if (path !== '/')
    await page.goto(daemon.origin + path);
  await page.locator('#link-state[data-state=open]').waitFor();
  return page;
}

// Complaints that the test expects are taken out.
export function takeComplaints(expected = null) {
  const found = complaints.splice(0);
  return expected ? found.filter((text) => !expected.test(text)) : found;
}

export async function close() {
  await browser?.close();
}

export const card = (page, name) => page.locator(`[data-server="${name}"].server`);
export const fact = (page, name, key) => card(page, name).locator(`[data-fact="${key}"] dd`).first();

// Waits for the text, which may be a regular expression.
export async function sees(locator, text) {
  let last;
  const is = (found) => text instanceof RegExp ? text.test(found) : found === text;
  await until(async () => is(last = (await locator.first().innerText()).trim()), `“${text}” in place of “${last}”`)
    .catch(() => assert.fail(`“${text}” did not come; there is “${last}”`));
}

export async function openTool(page, server, tool) {
  const tools = card(page, server).locator('details.section').first();
  if (!await tools.evaluate((element) => element.open))
    await tools.locator('> summary').click();
  const element = tools.locator(`[data-tool="${tool}"]`);
  await element.locator('> summary').click();
  return element;
}

export async function takePicture(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
}

// Rules of accessibility that the page breaks.
export async function checkAccess(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter(({ impact }) => ['serious', 'critical', 'moderate'].includes(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map((found) => found.html.slice(0, 200)).join(' | ')}`), [], what);
}

// What the page is wider than the window by.
export async function checkWidth(page, what) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  const { width: window } = page.viewportSize();
  assert.ok(wide <= window, `${what}: ${wide} px in a window of ${window} px`);
}
