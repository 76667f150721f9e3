// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/sdk 1.x with a server that serves a provider of its own: notes-sdk-1.mjs [--http] COMMAND…

import { assert, main, require, test, until } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const {
  ElicitRequestSchema, LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema,
} = require('@modelcontextprotocol/sdk/types.js');

const [command, ...args] = process.argv.slice(2).filter((word) => word !== '--http');

async function makeTransport() {
  if (overHttp)
    return (await serve(command, args, StreamableHTTPClientTransport)).transport;
  return new StdioClientTransport({ command, args, env: process.env });
}

async function connect(capabilities = {}) {
  const transport = await makeTransport();
  const client = new Client({ name: 'sdk-1', version: '1' }, { capabilities });
  await client.connect(transport);
  return client;
}

const call = async (client, name, args = {}) =>
  (await client.callTool({ name, arguments: args })).content[0].text;

test('what the provider implements is what the server can', async () => {
  const client = await connect();
  assert.deepEqual(client.getServerCapabilities(), {
    tools: { listChanged: true }, logging: {}, resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true }, completions: {},
  });
  await client.close();
});

test('tools', async () => {
  const client = await connect();
  const lines = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => lines.push(params));
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ['count_words', 'write', 'ask', 'drop']);
  assert.equal(await call(client, 'count_words', { text: 'to be or not' }), '4 words');
  await until(() => lines.length === 1, 'the log line');
  assert.deepEqual(lines[0], { level: 'warning', logger: 'words', data: 'counting' });
  await client.setLoggingLevel('error');
  assert.equal((await client.callTool({ name: 'count_words', arguments: { text: 4 } })).isError, true);
  await assert.rejects(call(client, 'drop'), { code: -32603 });
  await assert.rejects(call(client, 'nope'), { code: -32602 });
  assert.equal(await call(client, 'count_words', { text: 'still here' }), '2 words');
  assert.equal(lines.length, 1);
  await client.close();
});

test('a question in the middle of a call', async () => {
  const client = await connect({ elicitation: {} });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    assert.equal(params.message, 'Which color?');
    return { action: 'accept', content: { color: 'blue' } };
  });
  assert.deepEqual(JSON.parse(await call(client, 'ask')), { action: 'accept', content: { color: 'blue' } });
  await client.close();

  const silent = await connect();
  const refused = await silent.callTool({ name: 'ask', arguments: {} });
  assert.equal(refused.isError, true);
  await silent.close();
});

test('resources', async () => {
  const client = await connect();
  const updated = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.push(params.uri));
  const { resources } = await client.listResources();
  assert.deepEqual(resources, [{ uri: 'note:1', name: 'One', mimeType: 'text/plain' }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, 'note:{n}');
  assert.equal((await client.readResource({ uri: 'note:1' })).contents[0].text, 'one');
  await assert.rejects(client.readResource({ uri: 'note:9' }), { code: -32002 });

  await client.subscribeResource({ uri: 'note:1' });
  await call(client, 'write', { text: 'two' });
  await until(() => updated.length === 1, 'the update');
  assert.equal((await client.readResource({ uri: 'note:1' })).contents[0].text, 'two');
  await client.unsubscribeResource({ uri: 'note:1' });
  await client.close();
});

test('prompts', async () => {
  const client = await connect();
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts[0].arguments, [{ name: 'name', required: true }]);
  const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } });
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Greet Ann' } }]);
  await assert.rejects(client.getPrompt({ name: 'greet' }), { code: -32602 });
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'ant' },
  });
  assert.deepEqual(completion.values, ['anton']);
  await client.close();
});

await main();
