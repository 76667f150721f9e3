// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the legacy era, made with the official TypeScript SDK 1.x, whose process programs share:
// shared-legacy.mjs FILE. It says which process it is, asks, logs, tells of a change, and holds a call until there is
// FILE.
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/server/stdio.js');
const { SubscribeRequestSchema, UnsubscribeRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');

const URI = 'note://one';
const [file] = process.argv.slice(2);
const text = value => ({ content: [{ type: 'text', text: `${value}` }] });
const subscribed = [];
const server = new McpServer({ name: 'shared-legacy', version: '1' },
  { capabilities: { logging: {}, resources: { subscribe: true } } });

server.registerResource('note', URI, {}, async () => ({ contents: [{ uri: URI, text: 'a note' }] }));
for (const [schema, word] of [[SubscribeRequestSchema, 'subscribe'], [UnsubscribeRequestSchema, 'unsubscribe']])
  server.server.setRequestHandler(schema, async () => {
    subscribed.push(word);
    return {};
  });
server.registerTool('pid', {}, async () => text(process.pid));
server.registerTool('subscribed', {}, async () => text(subscribed.join()));
server.registerTool('change', {}, async () => {
  await server.server.sendResourceUpdated({ uri: URI });
  return text('changed');
});
server.registerTool('log', {}, async () => {
  await server.server.sendLoggingMessage({ level: 'debug', data: `debug of ${process.pid}` });
  return text('logged');
});
server.registerTool('ask', {}, async () => {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const answer = await server.server.elicitInput({ message: 'Who are you?', requestedSchema });
  return text(answer.content.name);
});
server.registerTool('roots', {}, async () => text((await server.server.listRoots()).roots.map(root => root.uri).join()));
server.registerTool('hold', {}, async () => {
  writeFileSync(`${file}.awaited`, '');
  while (!existsSync(file))
    await setTimeout(20);
  return text(`held by ${process.pid}`);
});
await server.connect(new StdioServerTransport());
