// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/client 2.x with the actions of a running GTK application: notes-app-2.mjs COMMAND…

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { assert, main, require, test } from './harness.mjs';

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');

const [command, ...args] = process.argv.slice(2);
const app = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(app.stdout, 'data');

async function connect(mode) {
  const client = new Client({ name: 'client-2', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(String(line).trim())));
  return client;
}

const number = { type: 'integer', minimum: 0, maximum: 2147483647 };

for (const mode of ['auto', 'legacy']) {
  test(`${mode}: the tools are the chosen actions, with derived schemas`, async () => {
    const client = await connect(mode);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ['add_note', 'editable', 'set-margin']);
    const [add, editable, margin] = tools;
    assert.equal(add.description, 'Writes a line into the notes');
    assert.deepEqual(add.inputSchema, {
      type: 'object', properties: { parameter: { type: 'string' } }, required: ['parameter'], additionalProperties: false,
    });
    assert.deepEqual(editable.outputSchema.properties, { state: { type: 'boolean' } });
    assert.deepEqual(margin.inputSchema.properties, { state: number });
    assert.equal(margin.annotations.idempotentHint, true);
    await client.close();
  });

  test(`${mode}: calls`, async () => {
    const client = await connect(mode);
    const call = (name, given) => client.callTool({ name, arguments: given });
    const added = await call('add_note', { parameter: 'Milk ☃' });
    assert.equal(added.content[0].text, '“add” was activated.');
    assert.ok(!added.isError);
    const first = (await call('editable')).structuredContent.state;
    assert.equal((await call('editable')).structuredContent.state, !first);
    assert.deepEqual((await call('set-margin', { state: 12 })).structuredContent, { state: 12 });
    for (const [name, given] of [['add_note', {}], ['add_note', { parameter: 7 }], ['set-margin', { state: -1 }],
      ['set-margin', { state: 1.5 }], ['editable', { parameter: true }]]) {
      const refused = await call(name, given);
      assert.equal(refused.isError, true, name);
      assert.match(refused.content[0].text, /parameter|state/);
    }
    await assert.rejects(call('close'), { code: -32602 });
    await client.close();
  });
}

process.on('exit', () => app.kill());
await main();
