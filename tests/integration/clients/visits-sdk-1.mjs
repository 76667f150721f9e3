// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/sdk 1.x with a server that sends its user to an address: visits-sdk-1.mjs [--http] COMMAND…

import { assert, main, require, test, until } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const {
  ElicitationCompleteNotificationSchema, ElicitRequestSchema, UrlElicitationRequiredError,
} = require('@modelcontextprotocol/sdk/types.js');

const [command, ...args] = process.argv.slice(2).filter((word) => word !== '--http');
const PAGE = { mode: 'url', message: 'Sign in to read your files', url: 'https://example.org/sign-in' };

async function connect(elicitation) {
  const transport = overHttp ? (await serve(command, args, StreamableHTTPClientTransport)).transport
    : new StdioClientTransport({ command, args, env: process.env });
  const client = new Client({ name: 'sdk-1', version: '1' }, { capabilities: { elicitation } });
  const completed = [];
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => completed.push(params.elicitationId));
  await client.connect(transport);
  return { client, completed };
}

const call = async (client, name) => (await client.callTool({ name, arguments: {} })).content[0].text;

async function refusal(client, name) {
  try {
    await client.callTool({ name, arguments: {} });
  } catch (error) {
    return error;
  }
  throw new Error(`${name} was not refused`);
}

test('a call that waits for the answer', async () => {
  const { client, completed } = await connect({ url: {} });
  let asked;
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked = params;
    return { action: 'accept' };
  });
  assert.deepEqual(JSON.parse(await call(client, 'sign_in')), { action: 'accept' });
  const { elicitationId, ...page } = asked;
  assert.deepEqual(page, PAGE);
  assert.deepEqual(completed, []);
  // It says so once, when the user has been there.
  await call(client, 'visited');
  await until(() => completed.length > 0, 'the completion');
  await call(client, 'visited');
  assert.deepEqual(completed, [elicitationId]);
  await client.close();
});

test('a user who does not go there', async () => {
  const { client } = await connect({ url: {} });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  assert.deepEqual(JSON.parse(await call(client, 'sign_in')), { action: 'decline' });
  await client.close();
});

test('a call that cannot be made before', async () => {
  const { client, completed } = await connect({ form: {}, url: {} });
  client.setRequestHandler(ElicitRequestSchema, () => assert.fail('it is no question of its own'));
  const error = await refusal(client, 'files');
  assert.ok(error instanceof UrlElicitationRequiredError, String(error));
  assert.equal(error.elicitations.length, 1);
  const [{ elicitationId, ...page }] = error.elicitations;
  assert.deepEqual(page, PAGE);
  assert.notEqual((await refusal(client, 'files')).elicitations[0].elicitationId, elicitationId);

  await call(client, 'visited');
  await until(() => completed.length === 2, 'the completions');
  assert.equal(completed[0], elicitationId);
  assert.equal(await call(client, 'files'), 'notes.txt');
  await client.close();
});

test('a client that opens no addresses', async () => {
  for (const elicitation of [{}, { form: {} }]) {
    const { client } = await connect(elicitation);
    for (const name of ['sign_in', 'files'])
      assert.equal((await client.callTool({ name, arguments: {} })).isError, true, name);
    await client.close();
  }
});

test('an address of a server behind this one is not passed on', async () => {
  const { client } = await connect({ url: {} });
  const error = await refusal(client, 'pretend');
  assert.equal(error.code, -32603);
  assert.equal(error.data, undefined);
  await client.close();
});

await main();
