// SPDX-License-Identifier: LGPL-2.1-or-later
// The official TypeScript SDK at the work of bench-client.c, in the era that it negotiates by itself.
//
// node sdk-client.mjs sdk|client WORK N SERVER [ARG…], or with a URL for SERVER; WORK is calls, sequential, text, image, list or once
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [sdk, work, count, command, ...args] = process.argv.slice(2);
const n = Number(count);
const TEXT = '0123456789'.repeat(10);
const LARGE = 10000000;
const IN_FLIGHT = 64;

const require = createRequire(`${process.env.GMCP_NPM_DIR}/`);
const load = async name => import(pathToFileURL(require.resolve(name)));

async function connect() {
  const { Client } = await load(sdk === 'sdk' ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');
  const { StdioClientTransport } = await load(
    sdk === 'sdk' ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio');
  const { StreamableHTTPClientTransport } = command.startsWith('http')
    ? await load(sdk === 'sdk' ? '@modelcontextprotocol/sdk/client/streamableHttp.js' : '@modelcontextprotocol/client') : {};
  const transport = StreamableHTTPClientTransport
    ? new StreamableHTTPClientTransport(new URL(command)) : new StdioClientTransport({ command, args });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  return client;
}

const works = {
  async calls(client, calls) {
    let sent = 0;
    await Promise.all(Array.from({ length: IN_FLIGHT }, async () => {
      while (sent < calls) {
        sent++;
        const result = await client.callTool({ name: 'echo', arguments: { text: TEXT } });
        if (result.content[0].text !== TEXT) throw new Error('a wrong answer');
      }
    }));
  },
  async sequential(client, calls) {
    for (let i = 0; i < calls; i++) {
      const result = await client.callTool({ name: 'echo', arguments: { text: TEXT } });
      if (result.content[0].text !== TEXT) throw new Error('a wrong answer');
    }
  },
  async text(client, calls) {
    for (let i = 0; i < calls; i++) {
      const result = await client.callTool({ name: 'text', arguments: { size: LARGE } });
      if (result.content[0].text.length !== LARGE) throw new Error('a wrong answer');
    }
  },
  async image(client, calls) {
    for (let i = 0; i < calls; i++) {
      const result = await client.callTool({ name: 'image', arguments: { size: LARGE } });
      if (Buffer.from(result.content[0].data, 'base64').length !== LARGE / 4 * 3) throw new Error('a wrong answer');
    }
  },
  async list(client, calls) {
    for (let i = 0; i < calls; i++) {
      if ((await client.listTools()).tools.length < 2) throw new Error('a wrong answer');
    }
  },
  async once(client) {
    const result = await client.callTool({ name: 'echo', arguments: { text: TEXT } });
    console.error(result.content[0].text);
  },
};

const client = await connect();
if (work === 'calls' || work === 'sequential') await works[work](client, 1000);
const base = Math.round(process.memoryUsage.rss() / 1024);
const cpu = process.cpuUsage();
const start = performance.now();
await works[work](client, n);
const spent = process.cpuUsage(cpu);
console.log(JSON.stringify({
  cpu_us: (spent.user + spent.system) / n,
  wall_us: (performance.now() - start) * 1000 / n,
  rss_kib: Math.round(process.memoryUsage.rss() / 1024),
  peak_kib: process.resourceUsage().maxRSS,
  base_kib: base,
}));
await client.close();
process.exit(0);
