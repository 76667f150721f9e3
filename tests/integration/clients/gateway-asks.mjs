// SPDX-License-Identifier: LGPL-2.1-or-later
// What a gateway asks its client besides what servers ask: about tools that have changed, and values of the configuration.
// The official clients of both generations, and of both eras.
//
// gateway-asks.mjs GMCP MANAGED-SERVER [GMCPD]
//
// With GMCPD the servers are those of a daemon, and clients come over HTTP, too.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { assert, main, require, test, until } from './harness.mjs';

const [program, managedServer, gmcpd] = process.argv.slice(2);
const { Client: Client1 } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport: Stdio1 } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');
const { StreamableHTTPClientTransport: Http1 } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { Client: Client2, StreamableHTTPClientTransport: Http2 } = require('@modelcontextprotocol/client');
const { StdioClientTransport: Stdio2 } = require('@modelcontextprotocol/client/stdio');

const KINDS = ['sdk 1', 'client 2, legacy', 'client 2, modern'];
const WAYS = gmcpd ? ['the daemon', 'HTTP'] : ['itself'];
const FORM = { elicitation: { form: {} } };
const BOTH = { elicitation: { form: {}, url: {} } };

const folder = mkdtempSync(join(tmpdir(), 'gmcp-gateway-asks-'));
const daemons = [];
let nHomes = 0;
process.on('exit', () => {
  daemons.forEach((daemon) => daemon.kill());
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// A user with these servers, to whom tools that change are not called unless somebody approves them.
function makeHome(tools, { variables = {}, inputs = [] } = {}) {
  const home = join(folder, `home-${++nHomes}`);
  const env = {
    ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'), XDG_DATA_HOME: join(home, 'data'), XDG_RUNTIME_DIR: join(home, 'run'),
    GSETTINGS_BACKEND: 'keyfile', GMCP_GATEWAYS: '',
  };
  delete env.DBUS_SESSION_BUS_ADDRESS;
  mkdirSync(env.XDG_RUNTIME_DIR, { recursive: true, mode: 0o700 });
  const one = { command: 'python3', args: ['-S', managedServer, '--tools', tools, '--log', join(home, 'log')], env: variables };
  write(join(env.XDG_CONFIG_HOME, 'mcp', 'mcp.json'), JSON.stringify({ mcpServers: { one }, inputs }));
  write(join(env.XDG_CONFIG_HOME, 'glib-2.0', 'settings', 'keyfile'), "[org/gmcp]\npin-policy='withhold'\n");
  return { env, countCalls: (tool) => existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8').split(`call ${tool}\n`).length - 1 : 0 };
}

async function startDaemon({ env }) {
  const daemon = spawn(gmcpd, ['--no-bus', '--gateway-http', '0', '--control-port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  daemon.stderr.on('data', (data) => { said += data; });
  daemon.stdout.on('data', (data) => { said += data; });
  daemons.push(daemon);
  await until(() => existsSync(join(env.XDG_RUNTIME_DIR, 'gmcp', 'gateway.http')) && /control API is at (\S+)/.test(said), 'the daemon');
  return /control API is at (\S+)/.exec(said)[1].replace(/\/$/, '');
}

function makeTransport(kind, way, { env }) {
  const isOld = kind === 'sdk 1';
  if (way === 'HTTP') {
    const address = new URL(readFileSync(join(env.XDG_RUNTIME_DIR, 'gmcp', 'gateway.http'), 'utf8'));
    const token = readFileSync(join(env.XDG_STATE_HOME, 'gmcp', 'gateway-token'), 'utf8');
    const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    return isOld ? new Http1(address, options) : new Http2(address, options);
  }
  const start = { command: resolve(program), args: ['gateway', '--stdio'], env, cwd: folder, stderr: 'inherit' };
  return isOld ? new Stdio1(start) : new Stdio2(start);
}

// answer: gets what is asked; without it the client cannot be asked.
async function connect(kind, way, home, { answer, capabilities = FORM } = {}) {
  const asked = [];
  const handler = ({ params }) => {
    asked.push(params);
    return answer(params);
  };
  const abilities = { capabilities: answer ? capabilities : {} };
  let client;
  if (kind === 'sdk 1') {
    client = new Client1({ name: 'sdk-1', version: '1' }, abilities);
    if (answer)
      client.setRequestHandler(ElicitRequestSchema, handler);
  } else {
    const mode = kind === 'client 2, modern' ? { pin: '2026-07-28' } : 'legacy';
    client = new Client2({ name: 'client-2', version: '2' }, { ...abilities, versionNegotiation: { mode } });
    if (answer)
      client.setRequestHandler('elicitation/create', handler);
  }
  await client.connect(makeTransport(kind, way, home));
  return { client, asked, call: (name, options) => {
    const params = { name, arguments: { name: 'name' } };
    return kind === 'sdk 1' ? client.callTool(params, undefined, options) : client.callTool(params, options);
  } };
}

const names = async (client) => (await client.listTools()).tools.map(({ name }) => name);
// Another description than the one that was seen first. A client may keep a list that it has read.
async function change(home, call) {
  const pins = join(home.env.XDG_STATE_HOME, 'gmcp', 'tool-pins.json');
  assert.ok(!(await call('one__describe')).isError);
  await until(() => existsSync(pins) && readFileSync(pins, 'utf8').includes('Another description'), 'the change');
}

const accept = (content) => () => ({ action: 'accept', content });
const decline = () => ({ action: 'decline' });

for (const way of WAYS)
  for (const kind of KINDS) {
    const title = `${kind}, by ${way}`;

    test(`${title}: a tool that has changed`, async () => {
      const home = makeHome('describe,echo');
      if (gmcpd)
        await startDaemon(home);
      const answers = [decline(), accept({ answer: 'once' })()];
      const { client, asked, call } = await connect(kind, way, home, { answer: () => answers.shift() ?? accept({ answer: 'always' })() });
      await change(home, call);
      assert.equal(asked.length, 0);

      const declined = await call('one__describe');
      assert.ok(declined.isError, JSON.stringify(declined));
      assert.equal(asked.length, 1);
      assert.match(asked[0].message, /- description: "Does describe"\n\+ description: "Another description"/);
      assert.equal(home.countCalls('describe'), 1);

      // A gateway with servers of its own has another process, whose tool is as it was.
      const its = gmcpd ? home : makeHome('describe,echo');
      const deaf = await connect(kind, way, its);
      if (!gmcpd)
        await change(its, deaf.call);
      const unasked = await deaf.call('one__describe');
      assert.ok(unasked.isError, JSON.stringify(unasked));
      assert.match(unasked.content[0].text, /gmcp approve one\.describe/);
      assert.match(unasked.content[0].text, /gmcp shell/);

      assert.ok(!(await call('one__describe')).isError);
      assert.equal(asked.length, 2);
      await until(async () => {
        const before = asked.length;
        assert.ok(!(await call('one__describe')).isError);
        return asked.length > 2 && asked.length === before;
      }, 'a call that nobody is asked about');
      // What is approved is so for all.
      if (gmcpd)
        await until(async () => !(await deaf.call('one__describe')).isError, 'the approval at the other client');
      await client.close();
      await deaf.client.close();
    });

    test(`${title}: a value that a server needs to start`, async () => {
      const home = makeHome('env', { variables: { name: '${input:place}' }, inputs: [{ id: 'place', type: 'promptString', description: 'Where it is' }] });
      if (gmcpd)
        await startDaemon(home);
      const other = await connect(kind, way, home, { answer: decline });
      const deaf = await connect(kind, way, home);
      const unasked = await deaf.call('one__env');
      assert.ok(unasked.isError, JSON.stringify(unasked));
      assert.match(unasked.content[0].text, gmcpd ? /gmcp secret set .*gmcp dashboard/s : /gmcp secret set/);

      const { client, asked, call } = await connect(kind, way, home, { answer: accept({ value: 'Ulm' }) });
      assert.equal((await call('one__env')).content[0].text, 'Ulm');
      assert.equal((await call('one__env')).content[0].text, 'Ulm');
      assert.equal(asked.length, 1);
      assert.match(asked[0].message, /place.*Where it is/);
      assert.equal(other.asked.length, 0);
      for (const each of [other.client, deaf.client, client])
        await each.close();
    });

    test(`${title}: a value that nobody gives`, async () => {
      const home = makeHome('env', { variables: { name: '${input:place}' }, inputs: [{ id: 'place', type: 'promptString' }] });
      if (gmcpd)
        await startDaemon(home);
      const { client, asked, call } = await connect(kind, way, home, { answer: decline });
      const declined = await call('one__env');
      assert.ok(declined.isError, JSON.stringify(declined));
      assert.match(declined.content[0].text, /nobody gave one/);
      assert.equal(asked.length, 1);
      await client.close();
    });

    test(`${title}: a call that is cancelled while its client is asked`, async () => {
      const home = makeHome('env', { variables: { name: '${input:place}' }, inputs: [{ id: 'place', type: 'promptString' }] });
      if (gmcpd)
        await startDaemon(home);
      const stop = new AbortController();
      let nAsked = 0;
      const { client, call } = await connect(kind, way, home, {
        answer: () => nAsked++ > 0 ? { action: 'accept', content: { value: 'Ulm' } } : new Promise((resolve) => { stop.abort(); resolve({ action: 'cancel' }); }),
      });
      await assert.rejects(call('one__env', { signal: stop.signal }));
      assert.equal((await call('one__env')).content[0].text, 'Ulm');
      await client.close();
    });

    test(`${title}: a secret`, async () => {
      const home = makeHome('env', { variables: { name: '${input:key}' }, inputs: [{ id: 'key', type: 'promptString', password: true }] });
      const api = gmcpd ? await startDaemon(home) : null;
      const formOnly = await connect(kind, way, home, { answer: accept({ value: 'told' }) });
      const refused = await formOnly.call('one__env');
      assert.ok(refused.isError, JSON.stringify(refused));
      assert.match(refused.content[0].text, /gmcp secret set/);
      assert.equal(formOnly.asked.length, 0);
      await formOnly.client.close();
      if (!api)
        return;

      // Whoever opens the page answers there; the client learns nothing.
      const headers = { Authorization: `Bearer ${readFileSync(join(home.env.XDG_STATE_HOME, 'gmcp', 'control-token'), 'utf8')}`, 'Content-Type': 'application/json' };
      const onPage = async () => {
        const { questions } = await (await fetch(`${api}/questions`, { headers })).json();
        assert.deepEqual(questions.map(({ kind, server }) => [kind, server]), [['config-input', 'one']]);
        const body = JSON.stringify({ action: 'accept', content: { value: 'hush' } });
        const answered = await fetch(`${api}/questions/${questions[0].id}`, { method: 'POST', headers, body });
        assert.ok(answered.ok, await answered.text());
      };
      const { client, asked, call } = await connect(kind, way, home, {
        capabilities: BOTH,
        answer: () => { setTimeout(onPage, 50); return { action: 'accept' }; },
      });
      const result = await call('one__env');
      assert.equal(asked.length, 1);
      assert.equal(asked[0].mode, 'url');
      assert.match(asked[0].url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
      assert.ok(!result.isError, JSON.stringify(result));
      await client.close();
    });
  }

await main();
