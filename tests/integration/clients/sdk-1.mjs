// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/sdk 1.x, which speaks the revisions with a handshake.

import { assert, main, require, server, test } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';
import { sharedTests } from './shared.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { ToolListChangedNotificationSchema } = require('@modelcontextprotocol/sdk/types.js');

function start(args) {
  const transport = new StdioClientTransport({ command: server, args, stderr: 'pipe' });
  let stderr = '';
  transport.stderr.on('data', (chunk) => { stderr += chunk; });
  return { transport, stderr: () => stderr };
}

async function connect({ args = [], onToolsChanged } = {}) {
  const { transport, stderr } = overHttp
    ? await serve(server, args, StreamableHTTPClientTransport) : start(args);
  const client = new Client({ name: 'sdk-1', version: '1' });
  if (onToolsChanged)
    client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  await client.connect(transport);
  return { client, transport, stderr };
}
connect.call = (params, options) => [params, undefined, options];

test('the handshake', async () => {
  const { client, transport } = await connect();
  assert.deepEqual(client.getServerVersion(),
    { name: 'tools-server', title: 'Tools server', version: '1.0' });
  assert.match(client.getInstructions(), /Every tool/);
  assert.equal(client.getServerCapabilities().tools.listChanged, true);
  await client.ping();
  const { structuredContent } = await client.callTool({ name: 'whoami' });
  assert.equal(structuredContent.version, '2025-11-25');
  assert.equal(structuredContent.client.name, 'sdk-1');
  assert.ok(overHttp ? transport.sessionId : transport.pid > 0);
  await client.close();
});

sharedTests('sdk 1', connect, { badArguments: 'result', structuredList: undefined });
await main();
