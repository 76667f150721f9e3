// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of the modern era, made with the official TypeScript SDK 2.x, for the client to be tried on.
//
// GMCP_TEST_NODE_MODULES names the folder of the packages; with --legacy-refused it speaks no other era.
// With --http it listens on a port of its own, which it prints; --sse makes each answer a stream there.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.GMCP_TEST_NODE_MODULES}/`);
const load = name => import(pathToFileURL(require.resolve(name)));
const { McpServer, createMcpHandler, inputRequired } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const z = await load('zod');

// Over HTTP there is an instance for each request; what was added is known to all.
const grown = new Set();
const resources = new Set(['note://1', 'note://2']);
let touched = 0;
let notify;

const text = value => ({ content: [{ type: 'text', text: value }] });

function makeServer() {
  const server = new McpServer(
    { name: 'modern-server', version: '1.2.3' },
    {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
      instructions: 'Call echo.',
    });

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
      console.error('waits to be cancelled');
    }));

  server.registerTool('fail', { description: 'Fails', inputSchema: z.object({}) },
    async () => ({ ...text('It does not work'), isError: true }));

  server.registerTool('route', {
    description: 'Wants its region in a header',
    inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  }, async ({ region }) => text(`routed to ${region}`));

  const addGrown = name => server.registerTool(name, { inputSchema: z.object({}) }, async () => text(`I am ${name}`));
  server.registerTool('grow', { description: 'Adds a tool', inputSchema: z.object({ name: z.string() }) },
    async ({ name }) => {
      addGrown(name);
      grown.add(name);
      notify?.toolsChanged();
      return text('grown');
    });
  grown.forEach(addGrown);

  const addResource = uri => server.registerResource(uri, uri, { mimeType: 'text/plain' },
    async () => ({ contents: [{ uri, mimeType: 'text/plain', text: `touched ${touched} times` }] }));
  resources.forEach(addResource);

  server.registerTool('touch', { description: 'Changes a resource', inputSchema: z.object({ uri: z.string() }) },
    async ({ uri }) => {
      touched++;
      if (notify)
        notify.resourceUpdated(uri);
      else
        await server.server.sendResourceUpdated({ uri });
      return text('touched');
    });

  server.registerTool('add-resource', { inputSchema: z.object({ uri: z.string() }) }, async ({ uri }) => {
    addResource(uri);
    resources.add(uri);
    notify?.resourcesChanged();
    return text('added');
  });

  server.registerTool('question', { description: 'Asks for all that can be asked for', inputSchema: z.object({}) },
    async (_arguments, ctx) => {
      const answers = ctx.mcpReq.inputResponses;
      if (answers === undefined) {
        return inputRequired({
          inputRequests: {
            who: inputRequired.elicit({
              message: 'Who are you?',
              requestedSchema: {
                type: 'object',
                properties: { name: { type: 'string' }, age: { type: 'integer', default: 30 } },
                required: ['name'],
              },
            }),
            model: inputRequired.createMessage({
              messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }], maxTokens: 10,
            }),
            roots: inputRequired.listRoots(),
          },
          requestState: 'one/\u00e4',
        });
      }
      const { who, model, roots } = answers;
      const person = who.action === 'accept' ? `${who.content.name}, ${who.content.age}` : who.action;
      return text(`${person}; ${model.content.text}; ${roots.roots[0].uri}; state ${ctx.mcpReq.requestState()}`);
    });

  server.registerTool('third-round', { description: 'Is ready in the third round', inputSchema: z.object({}) },
    async (_arguments, ctx) => {
      const round = Number(ctx.mcpReq.requestState() ?? 0);
      return round < 2 ? inputRequired({ requestState: `${round + 1}` }) : text(`after ${round} rounds`);
    });

  return server;
}

// Node's requests and responses for a handler of the web's.
async function answer(handler, incoming, outgoing) {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const hasBody = !['GET', 'DELETE', 'HEAD'].includes(incoming.method);
  const response = await handler.fetch(new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method, headers: incoming.headers, signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const body = Readable.fromWeb(response.body);
  body.on('error', () => outgoing.destroy());
  outgoing.on('close', () => body.destroy());
  body.pipe(outgoing);
}

const options = process.argv.includes('--legacy-refused') ? { legacy: 'reject' } : {};
if (process.argv.includes('--http')) {
  const handler = createMcpHandler(makeServer, { ...options, responseMode: process.argv.includes('--sse') ? 'sse' : 'auto' });
  notify = handler.notify;
  const server = createServer((incoming, outgoing) => answer(handler, incoming, outgoing).catch(error => {
    console.error(error);
    outgoing.destroy();
  }));
  server.listen(0, '127.0.0.1', () => console.log(`listening on port ${server.address().port}`));
} else {
  serveStdio(makeServer, options);
}
