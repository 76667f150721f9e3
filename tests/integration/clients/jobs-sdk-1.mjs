// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/sdk 1.x with a server whose calls become tasks: jobs-sdk-1.mjs [--http] COMMAND…

import { assert, main, require, test } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { CallToolResultSchema, ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

const [command, ...args] = process.argv.slice(2).filter((word) => word !== '--http');

async function connect() {
  const transport = overHttp ? (await serve(command, args, StreamableHTTPClientTransport)).transport
    : new StdioClientTransport({ command, args, env: process.env });
  const client = new Client({ name: 'sdk-1', version: '1' }, { capabilities: { elicitation: {} } });
  await client.connect(transport);
  await client.listTools();
  return client;
}

const stream = (client, name, options) =>
  client.experimental.tasks.callToolStream({ name, arguments: {} }, CallToolResultSchema, options);

async function collect(messages) {
  const collected = [];
  for await (const message of messages)
    collected.push(message);
  return collected;
}

test('what is offered', async () => {
  const client = await connect();
  const { tasks } = client.getServerCapabilities();
  assert.deepEqual(tasks, { ...!overHttp && { list: {} }, cancel: {}, requests: { tools: { call: {} } } });
  const { tools } = await client.listTools();
  assert.equal(tools.find(({ name }) => name === 'greet').execution.taskSupport, 'required');
  await client.close();
});

test('a task from its beginning to its end', async () => {
  const client = await connect();
  const messages = await collect(stream(client, 'work', { task: { ttl: 60000 } }));
  const [created] = messages;
  assert.equal(created.type, 'taskCreated');
  assert.equal(created.task.status, 'working');
  assert.equal(created.task.ttl, 60000);
  assert.ok(messages.some(({ type, task }) => type === 'taskStatus' && task.statusMessage === 'half'));
  assert.equal(messages.at(-1).type, 'result');
  assert.equal(messages.at(-1).result.content[0].text, 'done');

  const { taskId } = created.task;
  assert.equal((await client.experimental.tasks.getTask(taskId)).status, 'completed');
  const again = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  assert.equal(again.content[0].text, 'done');
  await assert.rejects(client.experimental.tasks.cancelTask(taskId), { code: -32602 });
  await assert.rejects(client.experimental.tasks.getTask('nope'), { code: -32602 });
  await client.close();
});

test('the progress of a task', async () => {
  const client = await connect();
  const told = [];
  const messages = await collect(stream(client, 'steps', { task: { ttl: 60000 }, onprogress: (step) => told.push(step) }));
  assert.equal(messages.at(-1).type, 'result');
  assert.deepEqual(told.map(({ progress, total, message }) => [progress, total, message]), [[1, 3, 'one'], [2, 3, 'two']]);
  await client.close();
});

test('a call without a task', async () => {
  const client = await connect();
  const { content } = await client.callTool({ name: 'work', arguments: {} });
  assert.equal(content[0].text, 'done');
  await assert.rejects(client.request({ method: 'tools/call', params: { name: 'greet' } }, CallToolResultSchema),
    { code: -32601 });
  await client.close();
});

test('a question of a task', async () => {
  const client = await connect();
  const asked = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params);
    return { action: 'accept', content: { name: 'Ann' } };
  });
  const messages = await collect(stream(client, 'greet'));
  assert.equal(asked.length, 1);
  assert.equal(asked[0].message, 'Your name?');
  assert.equal(asked[0]._meta['io.modelcontextprotocol/related-task'].taskId, messages[0].task.taskId);
  assert.deepEqual(JSON.parse(messages.at(-1).result.content[0].text), { action: 'accept', content: { name: 'Ann' } });
  await client.close();
});

test('a task that is cancelled', async () => {
  const client = await connect();
  const messages = stream(client, 'wait', { task: { ttl: 60000 } });
  const { value } = await messages.next();
  const { taskId } = value.task;
  assert.equal((await client.experimental.tasks.cancelTask(taskId)).status, 'cancelled');
  assert.equal((await client.experimental.tasks.getTask(taskId)).status, 'cancelled');
  if (overHttp)
    await assert.rejects(client.experimental.tasks.listTasks(), /list|not support|Method not found/);
  else
    assert.deepEqual((await client.experimental.tasks.listTasks()).tasks.map((task) => task.taskId), [taskId]);
  await client.close();
});

await main();
