// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the modern era whose answers may be kept: three pages of tools with times of their own, and a
// resource. Made with the official TypeScript SDK 2.x. Its tool "asked" tells how often it was asked for each.
//
// GMCP_TEST_NODE_MODULES names the folder of the packages.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { Server } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');

const asked = {};
const count = what => { asked[what] = (asked[what] ?? 0) + 1; };
const tool = (name, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
let generation = 1;

// The last page is stale at once; its cursor changes with each generation.
const pages = () => [
  { tools: [tool('asked'), tool('turn'), tool('broken', { outputSchema: { type: 'object', required: ['a'] } })],
    nextCursor: 'second', ttlMs: 600000, cacheScope: 'public' },
  { tools: [tool('b')], nextCursor: `third-${generation}`, ttlMs: 600000, cacheScope: 'public' },
  { tools: [tool('c')], ttlMs: 0, cacheScope: 'public' },
];

function makeServer() {
  const server = new Server(
    { name: 'paged-server', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } });

  server.setRequestHandler('tools/list', async ({ params }) => {
    const cursor = params?.cursor ?? 'first';
    const position = ['first', 'second', `third-${generation}`].indexOf(cursor);
    count(cursor);
    if (position < 0) {
      const error = new Error(`no cursor ${cursor}`);
      error.code = -32602;
      throw error;
    }
    return pages()[position];
  });

  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name === 'turn') {
      generation++;
      if (params.arguments?.tell)
        await server.sendToolListChanged();
    }
    if (params.name === 'broken')
      return { content: [], structuredContent: { b: 1 } };
    return { content: [{ type: 'text', text: JSON.stringify(asked) }] };
  });

  return server;
}

serveStdio(makeServer);
