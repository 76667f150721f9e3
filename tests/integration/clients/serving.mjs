// SPDX-License-Identifier: LGPL-2.1-or-later
// A server that a client reaches over HTTP: it prints its address, and ends with its standard input.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export const overHttp = process.argv.includes('--http');

// The transport to a server of its own, which goes with it; StreamableHTTPClientTransport is the client's class.
export async function serve(command, args, StreamableHTTPClientTransport) {
  const server = spawn(command, [...args, '--http'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  server.stderr.on('data', (chunk) => { stderr += chunk; });
  const [line] = await once(server.stdout, 'data');
  const transport = new StreamableHTTPClientTransport(new URL(String(line).trim()));
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await transport.terminateSession();
    await close();
    server.stdin.end();
  };
  return { transport, stderr: () => stderr };
}
