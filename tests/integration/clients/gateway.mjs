// SPDX-License-Identifier: LGPL-2.1-or-later
// The official clients of both generations, and of both eras, against `gmcp gateway`, with servers of both eras behind it.
//
// gateway.mjs GMCP ASKING-SERVER MODERN-ASKING MODERN-SERVER [GMCPD]
//
// With GMCPD the servers are those of a daemon, and `gmcp gateway` passes on what is said.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { assert, main, require, test, until } from './harness.mjs';

const [program, askingServer, modernAsking, modernServer, gmcpd] = process.argv.slice(2);
const { Client: Client1 } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport: Stdio1 } = require('@modelcontextprotocol/sdk/client/stdio.js');
const {
  ElicitRequestSchema, LoggingMessageNotificationSchema, ToolListChangedNotificationSchema,
} = require('@modelcontextprotocol/sdk/types.js');
const { StreamableHTTPClientTransport: Http1 } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { Client: Client2, StreamableHTTPClientTransport: Http2 } = require('@modelcontextprotocol/client');
const { StdioClientTransport: Stdio2 } = require('@modelcontextprotocol/client/stdio');

const folder = mkdtempSync(join(tmpdir(), 'gmcp-gateway-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const env = { GMCP_TEST_NODE_MODULES: process.env.GMCP_TEST_NODE_MODULES };
const everything = join(process.env.GMCP_TEST_NODE_MODULES, '@modelcontextprotocol/server-everything/dist/index.js');
const servers = {
  old: { command: 'python3', args: [askingServer] },
  asking: { command: process.execPath, args: [modernAsking], env },
  modern: { command: process.execPath, args: [modernServer], env },
  features: { command: process.execPath, args: [join(dirname(modernServer), 'modern-features.mjs')], env },
};
// By itself, as it takes longer to start than all others.
const makers = { everything: { command: process.execPath, args: [everything, 'stdio'] } };
let n_files = 0;

function write(config) {
  const file = join(folder, `servers-${++n_files}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const plain = write({ mcpServers: servers });
// A file of some of the servers, and of what else is set: each server that is behind a gateway starts with it.
const only = (names, more = {}) =>
  write({ mcpServers: Object.fromEntries(names.map((name) => [name, servers[name]])), ...more });
const home = (name) => join(folder, name);
const environment = {
  ...process.env, HOME: home('home'), XDG_CONFIG_HOME: home('config'), XDG_CACHE_HOME: home('cache'),
  XDG_STATE_HOME: home('state'), XDG_DATA_HOME: home('data'),
};

// One daemon for each file, in a session of its own, which ends with the test.
const daemons = new Map();
process.on('exit', () => { for (const { process } of daemons.values()) process.kill(); });

async function findDaemon(file, words = []) {
  if (!daemons.has(file)) {
    const runtime = `${file}.run`;
    mkdirSync(runtime, { mode: 0o700 });
    const env = { ...environment, XDG_RUNTIME_DIR: runtime };
    const process = spawn(gmcpd, ['--no-bus', '--config', file, ...words], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    daemons.set(file, { process, env });
  }
  const daemon = daemons.get(file);
  // The lock is taken before the sockets are there.
  const last = words.length > 0 ? 'gateway.http' : 'gateway.search';
  await until(() => existsSync(join(daemon.env.XDG_RUNTIME_DIR, 'gmcp', last)), 'the sockets of the daemon');
  return daemon;
}

async function howToStart(file, args) {
  if (!gmcpd)
    return { command: program, args: ['-c', file, 'gateway', ...args], env: environment, stderr: 'inherit' };
  const { env } = await findDaemon(file);
  return { command: resolve(program), args: ['gateway', ...args], env, cwd: folder, stderr: 'inherit' };
}

// answers: what is asked, by a word of its message, to the answer's content.
function answerWith(asked, answers) {
  return async ({ params }) => {
    asked.push(params.message);
    const found = Object.entries(answers).find(([word]) => params.message.includes(word));
    return found ? { action: 'accept', content: found[1] } : { action: 'decline' };
  };
}

async function connectHttp(kind, file) {
  const { env } = await findDaemon(file, ['--gateway-http', '0']);
  const address = new URL(readFileSync(join(env.XDG_RUNTIME_DIR, 'gmcp', 'gateway.http'), 'utf8'));
  const token = readFileSync(join(env.XDG_STATE_HOME, 'gmcp', 'gateway-token'), 'utf8');
  const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
  const capabilities = { elicitation: { form: {} } };
  const asked = [];
  const answer = answerWith(asked, { 'Who': FORM });
  let client;
  if (kind === 'sdk 1') {
    client = new Client1({ name: 'sdk-1', version: '1' }, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, answer);
    await client.connect(new Http1(address, options));
  } else {
    const mode = kind === 'client 2, modern' ? { pin: '2026-07-28' } : 'legacy';
    client = new Client2({ name: 'client-2', version: '2' }, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', answer);
    await client.connect(new Http2(address, options));
  }
  return { client, asked };
}

async function connect(kind, { file = plain, args = [], answers } = {}) {
  const start = await howToStart(file, args);
  const asked = [];
  const capabilities = answers ? { elicitation: { form: {} } } : {};
  let client;
  if (kind === 'sdk 1') {
    client = new Client1({ name: 'sdk-1', version: '1' }, { capabilities });
    if (answers)
      client.setRequestHandler(ElicitRequestSchema, answerWith(asked, answers));
    await client.connect(new Stdio1(start));
  } else {
    const mode = kind === 'client 2, modern' ? { pin: '2026-07-28' } : 'legacy';
    client = new Client2({ name: 'client-2', version: '2' }, { capabilities, versionNegotiation: { mode } });
    if (answers)
      client.setRequestHandler('elicitation/create', answerWith(asked, answers));
    await client.connect(new Stdio2(start));
  }
  return { client, asked };
}

const call = (kind, client, params, options) =>
  kind === 'sdk 1' ? client.callTool(params, undefined, options) : client.callTool(params, options);

// A list does not wait long for a server that is slow to start, which comes to it later.
const listed = async (client, wanted) => {
  const end = Date.now() + 60_000;
  for (;;) {
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    const missing = wanted.filter((name) => !names.includes(name));
    if (missing.length === 0)
      return;
    assert.ok(Date.now() < end, `${missing} of ${names}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

let everythingFile;
const TEMPLATE = 'demo://resource/dynamic/text/{resourceId}';
const FORM = { name: 'Ann', color: '#f00', many: ['x'] };

for (const kind of gmcpd ? ['sdk 1', 'client 2, modern'] : ['sdk 1', 'client 2, legacy', 'client 2, modern']) {
  test(`${kind}: what all servers have`, async () => {
    const { client } = await connect(kind);
    await listed(client, ['old__form', 'asking__ask', 'modern__echo', 'modern__add']);
    assert.equal(client.getServerVersion().name, 'gmcp');
    const echo = await call(kind, client, { name: 'modern__echo', arguments: { text: 'h\u00e9 \u{1f600}' } });
    assert.deepEqual(echo.content, [{ type: 'text', text: 'h\u00e9 \u{1f600}' }]);
    const add = await call(kind, client, { name: 'modern__add', arguments: { a: 1, b: 2.5 } });
    assert.deepEqual(add.structuredContent, { sum: 3.5 });
    const { resources, ttlMs } = await client.listResources();
    // It may not be all yet, and is not to be kept.
    if (kind === 'client 2, modern')
      assert.equal(ttlMs, 0);
    assert.ok(resources.some(({ uri }) => uri === 'note://1'), JSON.stringify(resources));
    const { contents } = await client.readResource({ uri: 'note://1' });
    assert.match(contents[0].text, /^touched /);
    await client.close();
  });

  test(`${kind}: a legacy server's question, accepted and declined`, async () => {
    const file = only(['old']);
    const { client, asked } = await connect(kind, { file, answers: { 'Who': FORM } });
    const result = await call(kind, client, { name: 'old__form', arguments: {} });
    assert.deepEqual(JSON.parse(result.content[0].text), { action: 'accept', content: FORM });
    assert.equal(asked.length, 1);
    await client.close();

    const declining = await connect(kind, { file, answers: {} });
    const declined = await call(kind, declining.client, { name: 'old__form', arguments: {} });
    assert.deepEqual(JSON.parse(declined.content[0].text), { action: 'decline' });
    await declining.client.close();
  });

  test(`${kind}: a modern server's two questions, and the call begun once`, async () => {
    const { client, asked } = await connect(kind, { file: only(['asking']), answers: { 'Who': { name: 'Ann' }, 'color': { color: 'red' } } });
    const result = await call(kind, client, { name: 'asking__ask', arguments: {} });
    assert.equal(result.content[0].text, 'Ann likes red; begun 1');
    assert.deepEqual(asked, ['asking asks: Who are you?', 'asking asks: Which color?']);
    await client.close();
  });

  test(`${kind}: questions of a prompt and of a resource`, async () => {
    const answers = { 'Who are you?': { name: 'Ann' }, 'Who\u001b': FORM, 'Who': FORM };
    for (const [server, name, uri, expected] of [['old', 'form', 'ask:form', FORM], ['asking', 'who', 'ask:who', 'Ann']]) {
      const { client, asked } = await connect(kind, { file: only([server]), answers });
      const read = (text) => server === 'old' ? JSON.parse(text).content : text;
      // Who asks a gateway before its servers are there is served without those that take long.
      await until(async () => (await client.listPrompts()).prompts.some((prompt) => prompt.name === `${server}__${name}`), 'the prompt');
      await until(async () => (await client.listResources()).resources.some((resource) => resource.uri === uri), 'the resource');
      const prompt = await client.getPrompt({ name: `${server}__${name}` });
      assert.deepEqual(read(prompt.messages[0].content.text), expected);
      const { contents } = await client.readResource({ uri });
      assert.deepEqual(read(contents[0].text), expected);
      assert.equal(asked.length, 2);
      await client.close();

      const deaf = await connect(kind, { file: only([server]) });
      await until(async () => (await deaf.client.listResources()).resources.some((resource) => resource.uri === uri), 'the resource');
      const declined = await deaf.client.readResource({ uri });
      assert.match(declined.contents[0].text, /decline/);
      await deaf.client.close();
    }
  });

  test(`${kind}: a client that cannot be asked`, async () => {
    const { client } = await connect(kind, { file: only(['old']) });
    const result = await call(kind, client, { name: 'old__form', arguments: {} });
    assert.deepEqual(JSON.parse(result.content[0].text), { action: 'decline' });
    await client.close();
  });

  test(`${kind}: log lines of a call`, async () => {
    const { client } = await connect(kind, { file: only(['features']) });
    const lines = [];
    if (kind === 'sdk 1')
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => lines.push(params));
    else
      client.setNotificationHandler('notifications/message', ({ params }) => lines.push(params));
    const params = { name: 'features__log', arguments: { level: 'warning' } };
    if (kind === 'client 2, modern')
      params._meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    else
      await client.setLoggingLevel('info');
    await call(kind, client, params);
    await until(() => lines.length > 0, 'the line');
    assert.equal(lines[0].level, 'warning');
    assert.equal(lines[0].data, 'it is warning');
    await client.close();
  });

  test(`${kind}: progress`, async () => {
    const { client } = await connect(kind, { file: only(['modern']) });
    const told = [];
    // A client drops a step that it reads together with the result, which may be all of them.
    for (let i = 0; told.length === 0 && i < 50; i++) {
      const result = await call(kind, client, { name: 'modern__count', arguments: { steps: 3 } },
        { onprogress: ({ progress, total, message }) => told.push([progress, total, message]) });
      assert.equal(result.content[0].text, 'counted to 3');
    }
    assert.ok(told.length > 0);
    for (const [progress, total, message] of told)
      assert.deepEqual([total, message], [3, `step ${progress}`]);
    await client.close();
  });

  test(`${kind}: a server of another maker, with all that it has`, async () => {
    const file = everythingFile ??= write({ mcpServers: makers });
    const { client, asked } = await connect(kind, { file, answers: { 'provide inputs': { name: 'Ann', check: true } } });
    await listed(client, ['everything__echo', 'everything__get-sum']);
    const echo = await call(kind, client, { name: 'everything__echo', arguments: { message: 'hé' } });
    assert.deepEqual(echo.content, [{ type: 'text', text: 'Echo: hé' }]);
    const told = [];
    const long = await call(kind, client, { name: 'everything__trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
      { onprogress: ({ progress, total }) => told.push([progress, total]) });
    assert.match(long.content[0].text, /3/);
    assert.ok(told.length > 0 && told.every(([progress, total]) => progress <= 3 && total === 3), JSON.stringify(told));
    const weather = await call(kind, client, { name: 'everything__get-structured-content', arguments: { location: 'Chicago' } });
    assert.ok(weather.structuredContent.temperature !== undefined, JSON.stringify(weather));
    const image = await call(kind, client, { name: 'everything__get-tiny-image', arguments: {} });
    assert.ok(image.content.some(({ type, mimeType }) => type === 'image' && mimeType === 'image/png'));
    const { content } = await call(kind, client, { name: 'everything__trigger-elicitation-request', arguments: {} });
    assert.equal(asked.length, 1);
    assert.match(JSON.stringify(content), /Ann/);

    const { contents } = await client.readResource({ uri: 'demo://resource/dynamic/text/1' });
    assert.match(contents[0].text, /Resource 1/);
    const prompt = await client.getPrompt({ name: 'everything__args-prompt', arguments: { city: 'Ulm' } });
    assert.match(prompt.messages[0].content.text, /Ulm/);
    const { prompts } = await client.listPrompts();
    assert.ok(prompts.some(({ name }) => name === 'everything__completable-prompt'), JSON.stringify(prompts));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === TEMPLATE), JSON.stringify(resourceTemplates));
    const complete = async (ref, name, value, context) =>
      (await client.complete({ ref, argument: { name, value }, ...(context ? { context } : {}) })).completion.values;
    const completable = { type: 'ref/prompt', name: 'everything__completable-prompt' };
    assert.deepEqual(await complete(completable, 'department', 'S'), ['Sales', 'Support']);
    assert.deepEqual(await complete(completable, 'name', 'A', { arguments: { department: 'Engineering' } }), ['Alice']);
    assert.deepEqual(await complete({ type: 'ref/resource', uri: TEMPLATE }, 'resourceId', '4'), ['4']);
    await client.close();
  });

  test(`${kind}: a tool that needs a yes`, async () => {
    const setup = { file: only(['modern'], { roles: { asker: { allowed_tools: ['*'], ask_first: ['modern.echo'] } } }), args: ['--role', 'asker'] };
    const params = { name: 'modern__echo', arguments: { text: 'hello' } };
    const allowing = await connect(kind, { ...setup, answers: { 'modern__echo': { answer: 'once' } } });
    const allowed = await call(kind, allowing.client, params);
    assert.equal(allowed.content[0].text, 'hello');
    assert.equal(allowing.asked.length, 1);
    assert.match(allowing.asked[0], /"hello"/);
    await allowing.client.close();

    const refusing = await connect(kind, { ...setup, answers: { 'modern__echo': { answer: 'no' } } });
    const refused = await call(kind, refusing.client, params);
    assert.ok(refused.isError, JSON.stringify(refused));
    assert.match(refused.content[0].text, /not allowed/);
    await refusing.client.close();

    const deaf = await connect(kind, setup);
    const unasked = await call(kind, deaf.client, params);
    assert.ok(unasked.isError, JSON.stringify(unasked));
    assert.match(unasked.content[0].text, /gmcp shell/);
    await deaf.client.close();
  });

  test(`${kind}: tools to search with`, async () => {
    const { client, asked } = await connect(kind, { args: ['--search'], answers: { 'Who': FORM } });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['call_tool', 'get_tool_details', 'search_tools']);
    // A server that is slow to start is found later.
    let found;
    await until(async () => {
      found = await call(kind, client, { name: 'search_tools', arguments: { query: 'gives the text back' } });
      return found.structuredContent?.tools.length > 0;
    }, 'a tool that is found');
    assert.equal(found.structuredContent.tools[0].name, 'modern__echo');
    const result = await call(kind, client, { name: 'call_tool', arguments: { name: 'old__form', arguments: {} } });
    assert.deepEqual(JSON.parse(result.content[0].text), { action: 'accept', content: FORM });
    assert.equal(asked.length, 1);
    await client.close();
  });

  test(`${kind}: a role`, async () => {
    const file = write({ mcpServers: servers, roles: { reader: { allowed_tools: ['modern.echo'] } } });
    const { client } = await connect(kind, { file, args: ['--role', 'reader'] });
    await listed(client, ['modern__echo']);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['modern__echo']);
    await client.close();
  });
}

for (const kind of ['sdk 1', 'client 2, modern']) {
  test(`${kind}: a tool that comes later`, async () => {
    const { client } = await connect(kind, { file: only(['modern']) });
    let told = 0;
    if (kind === 'sdk 1') {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => { told++; });
    } else {
      client.setNotificationHandler('notifications/tools/list_changed', () => { told++; });
      await client.listen({ toolsListChanged: true });
    }
    await listed(client, ['modern__grow']);
    await call(kind, client, { name: 'modern__grow', arguments: { name: 'later' } });
    let names = [];
    while (!names.includes('modern__later')) {
      const before = told;
      names = (await client.listTools()).tools.map(({ name }) => name);
      if (!names.includes('modern__later'))
        await until(() => told > before, 'the change of the list');
    }
    await client.close();
  });
}

if (gmcpd) {
  const overHttp = only(['old', 'modern']);
  for (const kind of ['sdk 1', 'client 2, legacy', 'client 2, modern'])
    test(`${kind}: over HTTP, while another client is there`, async () => {
      const { client, asked } = await connectHttp(kind, overHttp);
      const other = await connectHttp(kind, overHttp);
      await listed(client, ['modern__echo']);
      const echo = await call(kind, client, { name: 'modern__echo', arguments: { text: 'over HTTP' } });
      assert.equal(echo.content[0].text, 'over HTTP');
      const result = await call(kind, client, { name: 'old__form', arguments: {} });
      assert.deepEqual(JSON.parse(result.content[0].text), { action: 'accept', content: FORM });
      assert.equal(asked.length, 1);
      assert.equal(other.asked.length, 0);
      await client.close();
      await other.client.close();
    });
}

await main();
