// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the modern era, made with the official TypeScript SDK 2.x, for the client to be tried on.
//
// GMCP_TEST_NODE_MODULES names the folder of the packages; with --legacy-refused it speaks no other era.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const z = await load('zod');

const text = value => ({ content: [{ type: 'text', text: value }] });

function makeServer() {
  const server = new McpServer(
    { name: 'modern-server', version: '1.2.3' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'Call echo.' });

  server.registerTool('echo', {
    title: 'Echo', description: 'Gives the text back', inputSchema: z.object({ text: z.string() }),
    annotations: { readOnlyHint: true },
  }, async ({ text: given }) => text(given));

  server.registerTool('add', {
    inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }),
  }, async ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }));

  server.registerTool('count', {
    description: 'Reports progress', inputSchema: z.object({ steps: z.number() }),
  }, async ({ steps }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= steps; progress++) {
      await ctx.mcpReq.notify({
        method: 'notifications/progress', params: { progressToken, progress, total: steps, message: `step ${progress}` },
      });
    }
    return text(`counted to ${steps}`);
  });

  server.registerTool('wait', { description: 'Waits until it is cancelled', inputSchema: z.object({}) },
    async (_arguments, ctx) => new Promise(resolve => {
      ctx.mcpReq.signal.addEventListener('abort', () => {
        console.error('was cancelled');
        resolve(text('cancelled'));
      });
    }));

  server.registerTool('fail', { description: 'Fails', inputSchema: z.object({}) },
    async () => ({ ...text('It does not work'), isError: true }));

  server.registerTool('grow', { description: 'Adds a tool', inputSchema: z.object({ name: z.string() }) },
    async ({ name }) => {
      server.registerTool(name, { inputSchema: z.object({}) }, async () => text(`I am ${name}`));
      return text('grown');
    });

  return server;
}

serveStdio(makeServer, process.argv.includes('--legacy-refused') ? { legacy: 'reject' } : {});
