// SPDX-License-Identifier: LGPL-2.1-or-later
// The official clients of both generations, and of both eras, against `gmcp gateway`, with servers of both eras behind it.
//
// gateway.mjs GMCP ASKING-SERVER MODERN-ASKING MODERN-SERVER

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assert, main, require, test, until } from './harness.mjs';

const [program, askingServer, modernAsking, modernServer] = process.argv.slice(2);
const { Client: Client1 } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport: Stdio1 } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { ElicitRequestSchema, ToolListChangedNotificationSchema } = require('@modelcontextprotocol/sdk/types.js');
const { Client: Client2 } = require('@modelcontextprotocol/client');
const { StdioClientTransport: Stdio2 } = require('@modelcontextprotocol/client/stdio');

const folder = mkdtempSync(join(tmpdir(), 'gmcp-gateway-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const env = { GMCP_TEST_NODE_MODULES: process.env.GMCP_TEST_NODE_MODULES };
const servers = {
  old: { command: 'python3', args: [askingServer] },
  asking: { command: process.execPath, args: [modernAsking], env },
  modern: { command: process.execPath, args: [modernServer], env },
};
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

// answers: what is asked, by a word of its message, to the answer's content.
function answerWith(asked, answers) {
  return async ({ params }) => {
    asked.push(params.message);
    const found = Object.entries(answers).find(([word]) => params.message.includes(word));
    return found ? { action: 'accept', content: found[1] } : { action: 'decline' };
  };
}

async function connect(kind, { file = plain, args = [], answers } = {}) {
  const start = { command: program, args: ['-c', file, 'gateway', ...args], env: environment, stderr: 'inherit' };
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

const FORM = { name: 'Ann', color: '#f00', many: ['x'] };

for (const kind of ['sdk 1', 'client 2, legacy', 'client 2, modern']) {
  test(`${kind}: what all servers have`, async () => {
    const { client } = await connect(kind);
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    for (const name of ['old__form', 'asking__ask', 'modern__echo', 'modern__add'])
      assert.ok(names.includes(name), `${name} of ${names}`);
    assert.equal(client.getServerVersion().name, 'gmcp');
    const echo = await call(kind, client, { name: 'modern__echo', arguments: { text: 'h\u00e9 \u{1f600}' } });
    assert.deepEqual(echo.content, [{ type: 'text', text: 'h\u00e9 \u{1f600}' }]);
    const add = await call(kind, client, { name: 'modern__add', arguments: { a: 1, b: 2.5 } });
    assert.deepEqual(add.structuredContent, { sum: 3.5 });
    const { resources } = await client.listResources();
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
    assert.deepEqual(asked, ['Who are you?', 'Which color?']);
    await client.close();
  });

  test(`${kind}: a client that cannot be asked`, async () => {
    const { client } = await connect(kind, { file: only(['old']) });
    const result = await call(kind, client, { name: 'old__form', arguments: {} });
    assert.deepEqual(JSON.parse(result.content[0].text), { action: 'decline' });
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
    const found = await call(kind, client, { name: 'search_tools', arguments: { query: 'gives the text back' } });
    assert.equal(found.structuredContent.tools[0].name, 'modern__echo');
    const result = await call(kind, client, { name: 'call_tool', arguments: { name: 'old__form', arguments: {} } });
    assert.deepEqual(JSON.parse(result.content[0].text), { action: 'accept', content: FORM });
    assert.equal(asked.length, 1);
    await client.close();
  });

  test(`${kind}: a role`, async () => {
    const file = write({ mcpServers: servers, roles: { reader: { allowed_tools: ['modern.echo'] } } });
    const { client } = await connect(kind, { file, args: ['--role', 'reader'] });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['modern__echo']);
    await client.close();
  });
}

test('a tool that comes later', async () => {
  const { client } = await connect('sdk 1', { file: only(['modern']) });
  let told = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { told++; });
  await client.listTools();
  await client.callTool({ name: 'modern__grow', arguments: { name: 'later' } });
  let names = [];
  while (!names.includes('modern__later')) {
    const before = told;
    names = (await client.listTools()).tools.map(({ name }) => name);
    if (!names.includes('modern__later'))
      await until(() => told > before, 'the change of the list');
  }
  await client.close();
});

await main();
