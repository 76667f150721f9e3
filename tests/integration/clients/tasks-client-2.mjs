// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/client 2.x against gmcp-tasks, in both eras.

import { main, require } from './harness.mjs';
import { tasksTests } from './tasks-checks.mjs';

const { Client } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

function connectWith(mode) {
  return async (server) => {
    const client = new Client({ name: 'client-2', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport(server));
    return { client, version: client.getNegotiatedProtocolVersion() };
  };
}

tasksTests('client 2, modern', connectWith('auto'), '2026-07-28');
tasksTests('client 2, legacy', connectWith('legacy'), '2025-11-25');
await main();
