// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/sdk 1.x, which speaks the revisions with a handshake, against gmcp-tasks.

import { main, require } from './harness.mjs';
import { tasksTests } from './tasks-checks.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

async function connect(server) {
  const client = new Client({ name: 'sdk-1', version: '1' });
  const transport = new StdioClientTransport(server);
  let version;

  // The client tells its transport what was agreed on, and nobody else.
  transport.setProtocolVersion = (agreed) => { version = agreed; };
  await client.connect(transport);
  await client.ping();
  return { client, version };
}

tasksTests('sdk 1', connect, '2025-11-25');
await main();
