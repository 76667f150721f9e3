// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/client 2.x, which speaks both eras.

import { assert, main, require, server, test } from './harness.mjs';
import { overHttp, serve } from './serving.mjs';
import { sharedTests } from './shared.mjs';

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

function start(args) {
  const transport = new StdioClientTransport({ command: server, args, stderr: 'pipe' });
  let stderr = '';
  transport.stderr.on('data', (chunk) => { stderr += chunk; });
  return { transport, stderr: () => stderr };
}

function connector(mode) {
  async function connect({ args = [], onToolsChanged } = {}) {
    const { transport, stderr } = overHttp
      ? await serve(server, args, StreamableHTTPClientTransport) : start(args);
    const client = new Client({ name: 'client-2', version: '2' }, {
      versionNegotiation: { mode },
      ...(onToolsChanged && {
        listChanged: { tools: { onChanged: onToolsChanged, autoRefresh: false, debounceMs: 0 } },
      }),
    });
    await client.connect(transport);
    return { client, transport, stderr };
  }
  connect.call = (params, options) => [params, options];
  return connect;
}

for (const [mode, era, version] of [
  ['auto', 'modern', '2026-07-28'],
  [{ pin: '2026-07-28' }, 'modern', '2026-07-28'],
  ['legacy', 'legacy', '2025-11-25'],
]) {
  const label = typeof mode === 'string' ? mode : `pinned to ${mode.pin}`;

  test(`${label}: connecting`, async () => {
    const { client } = await connector(mode)();
    assert.equal(client.getProtocolEra(), era);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    assert.equal(client.getServerVersion().name, 'tools-server');
    assert.match(client.getInstructions(), /Every tool/);
    const { structuredContent } = await client.callTool({ name: 'whoami' });
    assert.equal(structuredContent.version, version);
    assert.equal(structuredContent.client.name, 'client-2');
    await client.close();
  });

  sharedTests(label, connector(mode), {
    badArguments: 'result',
    structuredList: era === 'modern'
      ? [{ name: 'one', size: 1 }, { name: 'two', size: 2 }] : undefined,
  });
}

test('several subscriptions', async () => {
  const { client } = await connector('auto')();
  const one = await client.listen({ toolsListChanged: true });
  const two = await client.listen({ toolsListChanged: true, promptsListChanged: true });
  assert.deepEqual(two.honoredFilter, { toolsListChanged: true });
  await one.close();
  await client.callTool({ name: 'set_extra', arguments: { on: true } });
  await two.close();
  await client.close();
});

await main();
