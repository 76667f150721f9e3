// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the legacy era over HTTP, made with the official TypeScript SDK 1.x, that keeps sessions,
// forgets them when it is told to, and hangs up in the middle of calls. It prints the port it listens on.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
const { StreamableHTTPServerTransport } = await load('@modelcontextprotocol/sdk/server/streamableHttp.js');

const sessions = new Map();
const asked = new Map();
let begun = 0;

const text = value => ({ content: [{ type: 'text', text: `${value}` }] });

function makeServer() {
  const server = new McpServer({ name: 'session-server', version: '1' });
  server.registerTool('echo', {}, async () => text('here'));
  server.registerTool('sessions', {}, async () => text(begun));
  server.registerTool('forget', {}, async () => {
    sessions.clear();
    return text('forgotten');
  });
  // How often a tool was called.
  for (const [name, annotations] of [['hang-up', {}], ['hang-up-reading', { readOnlyHint: true }]]) {
    server.registerTool(name, { annotations }, async () => text(`asked ${asked.get(name)} times`));
    server.registerTool(`count-${name}`, {}, async () => text(asked.get(name)));
  }
  return server;
}

const refuse = (outgoing, status, message) => {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message } }));
};

async function answer(incoming, outgoing) {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8'))
    body += chunk;
  const message = body ? JSON.parse(body) : undefined;
  const id = incoming.headers['mcp-session-id'];

  const tool = message?.method === 'tools/call' ? message.params.name : '';
  if (tool.startsWith('hang-up')) {
    asked.set(tool, (asked.get(tool) ?? 0) + 1);
    if (asked.get(tool) === 1) {
      outgoing.destroy();
      return;
    }
  }

  let transport = sessions.get(id);
  if (!transport && message?.method === 'initialize') {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: session => {
        begun++;
        sessions.set(session, transport);
      },
    });
    await makeServer().connect(transport);
  }
  if (transport)
    await transport.handleRequest(incoming, outgoing, message);
  else
    refuse(outgoing, id ? 404 : 400, id ? 'Session not found' : 'No session');
}

const server = createServer((incoming, outgoing) => answer(incoming, outgoing).catch(error => {
  console.error(error);
  outgoing.destroy();
}));
server.listen(0, '127.0.0.1', () => console.log(`listening on port ${server.address().port}`));
