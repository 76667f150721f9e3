// SPDX-License-Identifier: LGPL-2.1-or-later
// The official TypeScript SDK at the work of mcp-server.c, in its own usual way.
//
// node sdk-server.mjs sdk|server stdio|http; over HTTP it prints its address. SDK 1.x serves sessions there, 2.x requests that stand alone
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [sdk, way] = process.argv.slice(2);
const require = createRequire(`${process.env.GMCP_NPM_DIR}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const z = await load('zod');

function addEcho(server) {
  server.registerTool('echo', { description: 'Gives the text back', inputSchema: sdk === 'sdk' ? { text: z.string() } : z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }));
  return server;
}

function listen(answer) {
  const server = createServer((incoming, outgoing) => answer(incoming, outgoing).catch(error => {
    console.error(error);
    outgoing.destroy();
  }));
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
  process.stdin.on('end', () => process.exit(0)).resume();
}

async function readBody(incoming) {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts).toString();
}

if (sdk === 'sdk') {
  const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
  const make = () => addEcho(new McpServer({ name: 'echo', version: '1' }));
  if (way === 'stdio') {
    const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/server/stdio.js');
    await make().connect(new StdioServerTransport());
  } else {
    const { StreamableHTTPServerTransport } = await load('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const sessions = new Map();
    listen(async (incoming, outgoing) => {
      const message = JSON.parse(await readBody(incoming));
      let transport = sessions.get(incoming.headers['mcp-session-id']);
      if (!transport) {
        transport = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID, enableJsonResponse: true, onsessioninitialized: id => sessions.set(id, transport),
        });
        await make().connect(transport);
      }
      await transport.handleRequest(incoming, outgoing, message);
    });
  }
} else {
  const { McpServer, createMcpHandler } = await load('@modelcontextprotocol/server');
  const make = () => addEcho(new McpServer({ name: 'echo', version: '1' }));
  if (way === 'stdio') {
    const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
    serveStdio(make);
  } else {
    const handler = createMcpHandler(make, {});
    listen(async (incoming, outgoing) => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, value);
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`,
        { method: incoming.method, headers, body: await readBody(incoming) });
      const response = await handler.fetch(request);
      const body = Buffer.from(await response.arrayBuffer());
      const given = Object.fromEntries(response.headers);
      delete given['transfer-encoding'];
      outgoing.writeHead(response.status, { ...given, 'content-length': body.length });
      outgoing.end(body);
    });
  }
}
