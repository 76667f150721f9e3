// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of revision 2025-11-25 made with the official TypeScript SDK 1.x: “files” is refused until the user has been at
// an address, which “visited” stands for; then it tells its client that this is done.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/server/stdio.js');
const { UrlElicitationRequiredError } = await load('@modelcontextprotocol/sdk/types.js');

const server = new McpServer({ name: 'visits-server', version: '1' });
const text = value => ({ content: [{ type: 'text', text: `${value}` }] });
let asked = [];
let calls = 0;
let signedIn = false;

server.registerTool('files', {}, async () => {
  calls++;
  if (signedIn)
    return text(`notes.txt, after ${calls} calls`);
  const elicitationId = randomUUID();
  asked.push(elicitationId);
  throw new UrlElicitationRequiredError([
    { mode: 'url', message: 'Sign in to read your files', url: 'https://example.org/sign-in', elicitationId },
  ]);
});

server.registerTool('visited', {}, async () => {
  signedIn = true;
  for (const elicitationId of asked)
    await server.server.createElicitationCompletionNotifier(elicitationId)();
  asked = [];
  return text('done');
});

await server.connect(new StdioServerTransport());
