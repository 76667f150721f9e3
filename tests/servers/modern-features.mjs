// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the modern era with resources, prompts, completion and log messages, made with the official
// TypeScript SDK 2.x. GMCP_TEST_NODE_MODULES names the folder of the packages.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer, ResourceTemplate, completable } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const z = await load('zod');

const text = value => ({ content: [{ type: 'text', text: value }] });
const starting = (values, typed) => values.filter(value => value.startsWith(typed));

function makeServer() {
  const server = new McpServer({ name: 'modern-features', version: '1' }, { capabilities: { logging: {} } });

  server.registerTool('log', { description: 'Logs', inputSchema: z.object({ level: z.string() }) },
    async ({ level }, ctx) => {
      await ctx.mcpReq.log(level, `it is ${level}`, 'logger');
      return text('logged');
    });

  server.registerTool('grow-all', { description: 'Adds a resource and a prompt', inputSchema: z.object({}) },
    async () => {
      server.registerResource('later', 'note:later', {}, async uri => ({ contents: [{ uri: uri.href, text: 'later' }] }));
      server.registerPrompt('later', {}, async () => ({ messages: [] }));
      return text('grown');
    });

  server.registerResource('note', 'note:first', { description: 'A note' },
    async uri => ({ contents: [{ uri: uri.href, text: 'a note' }] }));
  server.registerResource('notes', new ResourceTemplate('note:about/{name}', {
    list: undefined, complete: { name: typed => starting(['monday', 'tuesday'], typed) },
  }), {}, async (uri, { name }) => ({ contents: [{ uri: uri.href, text: `about ${name}` }] }));
  server.registerPrompt('greet', {
    description: 'Greets',
    argsSchema: z.object({ language: completable(z.string(), typed => starting(['de', 'en'], typed)) }),
  }, async ({ language }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet me in ${language}` } }] }));

  return server;
}

serveStdio(makeServer);
