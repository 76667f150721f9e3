// SPDX-License-Identifier: LGPL-2.1-or-later
// tasks-many.mjs URL KIND NAME COUNT: a client that makes and completes tasks over HTTP, several at once, and says
// line by line what it was answered. A request that had no answer is not made again.

import { assert, require } from './harness.mjs';

const [url, kind, name, count] = process.argv.slice(2);
const LANES = 4;

async function connect() {
  if (kind === 'sdk-1') {
    const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new Client({ name, version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    assert.equal(transport.sessionId, undefined);
    return client;
  }
  const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: kind } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  assert.equal(client.getNegotiatedProtocolVersion(), kind === 'auto' ? '2026-07-28' : '2025-11-25');
  return client;
}

function say(what) {
  console.log(JSON.stringify(what));
}

// Gives undefined where there is no answer. An answer is right, or the program ends.
async function call(client, tool, args) {
  let result;
  try {
    result = await client.callTool({ name: tool, arguments: args });
  } catch (error) {
    say({ lost: tool, ...args, why: String(error) });
    return undefined;
  }
  assert.equal(result.structuredContent.success, true, JSON.stringify(result));
  return result.structuredContent.data;
}

async function run(client, lane) {
  for (let number = lane; number < Number(count); number += LANES) {
    const title = `${name}-${number}`;
    const made = await call(client, 'create_task', { title });
    if (!made) continue;
    assert.equal(made.task.title, title);
    say({ made: title, id: made.task.id });
    const done = await call(client, 'complete_task', { task_id: made.task.id, completed: true });
    if (!done) continue;
    assert.deepEqual([done.task.id, done.task.title, done.task.completed], [made.task.id, title, true]);
    say({ done: title });
    const listed = await call(client, 'list_tasks', { limit: 1, status: 'completed' });
    if (listed) assert.ok(listed.total >= 1);
  }
}

const client = await connect();
await Promise.all(Array.from({ length: LANES }, (_, lane) => run(client, lane)));
say({ end: name });
process.exit(0);
