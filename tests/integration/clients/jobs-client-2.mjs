// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/client 2.x with a server whose calls become tasks: jobs-client-2.mjs [--http] COMMAND…
// It takes no task for the answer to a call, in either era, and knows nothing of the extension: it is to be served without.

import { assert, main, require, test } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

const [command, ...args] = process.argv.slice(2).filter((word) => word !== '--http');

async function connect(mode) {
  const transport = overHttp ? (await serve(command, args, StreamableHTTPClientTransport)).transport
    : new StdioClientTransport({ command, args, env: process.env });
  const client = new Client({ name: 'client-2', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

test('a client that has no tasks is answered without', async () => {
  for (const mode of ['auto', 'legacy']) {
    const client = await connect(mode);
    assert.equal((await client.callTool({ name: 'work', arguments: {} })).content[0].text, 'done', mode);
    await assert.rejects(client.callTool({ name: 'greet', arguments: {} }), mode);
    await client.close();
  }
});

await main();
