// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/client 2.x, in revision 2026-07-28, with a server that sends its user to an address:
// visits-client-2.mjs [--http] COMMAND…

import { assert, main, require, test } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

const [command, ...args] = process.argv.slice(2).filter((word) => word !== '--http');

async function connect(elicitation) {
  const transport = overHttp ? (await serve(command, args, StreamableHTTPClientTransport)).transport
    : new StdioClientTransport({ command, args, env: process.env });
  const client = new Client({ name: 'client-2', version: '2' }, { capabilities: { elicitation }, versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  assert.equal(client.getProtocolEra(), 'modern');
  return client;
}

const call = async (client, name) => (await client.callTool({ name, arguments: {} })).content[0].text;

test('both kinds of question end the call, which is made again', async () => {
  for (const name of ['sign_in', 'files']) {
    const client = await connect({ url: {} });
    const asked = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push([params.mode, params.message, params.url]);
      return { action: 'accept' };
    });
    assert.deepEqual(JSON.parse(await call(client, name)), { action: 'accept' });
    assert.deepEqual(asked, [['url', 'Sign in to read your files', 'https://example.org/sign-in']]);
    await call(client, 'visited');
    assert.equal(await call(client, 'files'), 'notes.txt');
    await client.close();
  }
});

test('a user who does not go there', async () => {
  const client = await connect({ url: {} });
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  assert.deepEqual(JSON.parse(await call(client, 'files')), { action: 'decline' });
  await client.close();
});

test('a client that opens no addresses', async () => {
  const client = await connect({ form: {} });
  for (const name of ['sign_in', 'files'])
    await assert.rejects(client.callTool({ name, arguments: {} }), { code: -32021 });
  await client.close();
});

await main();
