// SPDX-License-Identifier: LGPL-2.1-or-later
// Clients of both generations of the official SDK against a gmcp-tasks that serves over HTTP.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { main, require } from './harness.mjs';
import { tasksTests } from './tasks-checks.mjs';

const sdk1 = {
  ...require('@modelcontextprotocol/sdk/client/index.js'), ...require('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};
const sdk2 = require('@modelcontextprotocol/client');

// What a server over standard input and output would be started with, at a port; it says which, and goes with its client.
async function serve({ command, args, env }, StreamableHTTPClientTransport, ...more) {
  const at = args.indexOf('--user');
  const process = spawn(command, [...args.slice(0, at), '--http', '0', '--http-user', args[at + 1], ...more], {
    env: { ...env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(process.stdout), 'line');
  const transport = new StreamableHTTPClientTransport(new URL(line.split(' ').at(-1)));
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await transport.terminateSession();
    await close();
    const ended = once(process, 'exit');
    process.kill('SIGTERM');
    const [status] = await ended;
    if (status !== 0)
      throw new Error(`gmcp-tasks ended with ${status}`);
  };
  return transport;
}

const connect1 = (...more) => async (server) => {
  const client = new sdk1.Client({ name: 'sdk-1', version: '1' });
  const transport = await serve(server, sdk1.StreamableHTTPClientTransport, ...more);
  await client.connect(transport);
  return { client, version: transport.protocolVersion };
};

const connect2 = (mode, ...more) => async (server) => {
  const client = new sdk2.Client({ name: 'client-2', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(await serve(server, sdk2.StreamableHTTPClientTransport, ...more));
  return { client, version: client.getNegotiatedProtocolVersion() };
};

tasksTests('sdk 1', connect1(), '2025-11-25');
tasksTests('sdk 1, without a session', connect1('--stateless'), '2025-11-25');
tasksTests('client 2, modern', connect2('auto', '--stateless'), '2026-07-28');
tasksTests('client 2, legacy', connect2('legacy'), '2025-11-25');
await main();
