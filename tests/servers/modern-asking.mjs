// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the modern era that asks, made with the official TypeScript SDK 2.x. GMCP_TEST_NODE_MODULES names the
// folder of the packages. The tool `ask` asks for a name, then for a color, and tells both; how often it was
// begun stands in its answer. The prompt `who` and the resource ask:who ask for a name.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer, inputRequired } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const z = await load('zod');

let begun = 0;

const form = (message, field) => inputRequired.elicit({
  message,
  requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
});

function makeServer() {
  const server = new McpServer({ name: 'modern-asking', version: '1' }, { capabilities: { tools: {}, prompts: {}, resources: {} } });

  server.registerTool('ask', { description: 'Asks twice', inputSchema: z.object({}) }, async (_arguments, ctx) => {
    const { name, color } = ctx.mcpReq.inputResponses ?? {};
    if (name === undefined && color === undefined) {
      begun++;
      return inputRequired({ inputRequests: { name: form('Who are you?', 'name') }, requestState: 'first' });
    }
    if (color === undefined) {
      const known = name.action === 'accept' ? name.content.name : name.action;
      return inputRequired({ inputRequests: { color: form('Which color?', 'color') }, requestState: known });
    }
    return { content: [{ type: 'text', text: `${ctx.mcpReq.requestState()} likes ${color.content.color}; begun ${begun}` }] };
  });

  const askName = (ctx, tell) => {
    const { name } = ctx.mcpReq.inputResponses ?? {};
    if (name === undefined)
      return inputRequired({ inputRequests: { name: form('Who are you?', 'name') } });
    return tell(name.action === 'accept' ? name.content.name : name.action);
  };

  server.registerPrompt('who', {}, async (ctx) =>
    askName(ctx, (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] })));
  server.registerResource('who', 'ask:who', {}, async (uri, ctx) =>
    askName(ctx, (text) => ({ contents: [{ uri: uri.href, text }] })));

  return server;
}

serveStdio(makeServer);
