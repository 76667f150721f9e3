// SPDX-License-Identifier: LGPL-2.1-or-later
// The official clients of both generations get tokens of a real authorization server (oidc-provider), which gmcp-tasks asks
// what they are worth: sign-in-oidc.mjs GMCP_TASKS

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { assert, main, require, test, until } from './harness.mjs';

const one = {
  ...require('@modelcontextprotocol/sdk/client/auth.js'),
  ...require('@modelcontextprotocol/sdk/client/index.js'),
  ...require('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};
const two = require('@modelcontextprotocol/client');
const { default: AuthorizationServer } = await import(pathToFileURL(require.resolve('oidc-provider')));

// The server for tests tells that it is one.
console.info = console.warn = () => {};

const [program] = process.argv.slice(2);
const REDIRECT = 'http://localhost:1/callback';
// Characters that have to be encoded before they are joined.
const CLIENT = 'the:tasks';
const SECRET = 'no % secret: + "w*rd"';

async function startIssuer() {
  let handle;
  const listener = createServer((request, response) => handle(request, response));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${listener.address().port}`;
  const server = new AuthorizationServer(url, {
    clients: [{ client_id: CLIENT, client_secret: SECRET, grant_types: [], response_types: [], redirect_uris: [] }],
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: true },
      introspection: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({ scope: 'tasks', audience: resource, accessTokenFormat: 'opaque' }),
        useGrantedResource: () => true,
      },
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    scopes: ['tasks'],
  });
  handle = server.callback();
  return { url, close: () => { listener.close(); listener.closeAllConnections(); } };
}

async function startTasks(issuer, secret = SECRET) {
  const folder = mkdtempSync(join(tmpdir(), 'gmcp-oidc-'));
  const file = join(folder, 'secret');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  const child = spawn(program, ['--http', '0', '--database', join(folder, 'tasks.db'), '--issuer', issuer.url, '--require-scope', 'tasks',
    '--introspection-url', `${issuer.url}/token/introspection`, '--introspection-client', CLIENT,
    '--introspection-secret-file', file], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  let told = '';
  child.stderr.on('data', (data) => { told += data; });
  const [line] = await once(child.stdout, 'data');
  return {
    url: new URL(String(line).trim().split(' ').pop()),
    told: () => told,
    close: async () => {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

async function withServers(run) {
  const issuer = await startIssuer();
  const tasks = await startTasks(issuer);
  try {
    await run(tasks, issuer);
  } finally {
    await tasks.close();
    issuer.close();
  }
}

// A person with a browser, who signs in under that name and agrees. Gives where the browser is sent back to.
async function signIn(name, start) {
  const jar = new Map();
  let url = new URL(start);
  let body;
  for (let n = 0; n < 12; n++) {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET', body, redirect: 'manual',
      headers: { Cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [key, value] = cookie.split(';')[0].split('=');
      jar.set(key, value);
    }
    body = undefined;
    const location = response.headers.get('Location');
    if (location?.startsWith(REDIRECT))
      return new URL(location);
    const page = await response.text();
    if (location)
      url = new URL(location, url);
    else if (page.includes('name="login"'))
      body = new URLSearchParams({ prompt: 'login', login: name, password: 'any' });
    else if (page.includes('value="consent"'))
      body = new URLSearchParams({ prompt: 'consent' });
    else
      throw new Error(`the authorization server shows ${response.status}: ${page.slice(0, 500)}`);
  }
  throw new Error('signing in does not end');
}

class Person {
  kept = {};
  redirectUrl = REDIRECT;
  clientMetadata = { client_name: 'test', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', response_types: ['code'],
                     grant_types: ['authorization_code'] };
  clientInformation() { return this.kept.client; }
  saveClientInformation(client) { this.kept.client = client; }
  tokens() { return this.kept.tokens; }
  saveTokens(tokens) { this.kept.tokens = tokens; }
  codeVerifier() { return this.kept.verifier; }
  saveCodeVerifier(verifier) { this.kept.verifier = verifier; }
  discoveryState() { return this.kept.discovery; }
  saveDiscoveryState(discovery) { this.kept.discovery = discovery; }
  redirectToAuthorization(url) { this.kept.url = url; }
}

// Gives a person who has a token for the address.
async function getToken(sdk, options, name, url) {
  const person = new Person();
  const transport = new sdk.StreamableHTTPClientTransport(url, { authProvider: person });
  await assert.rejects(new sdk.Client({ name: 'test', version: '1' }, options).connect(transport));
  const params = (await signIn(name, person.kept.url)).searchParams;
  await (sdk === one ? transport.finishAuth(params.get('code')) : transport.finishAuth(params));
  return person;
}

async function list(sdk, options, person, url, title) {
  const client = new sdk.Client({ name: 'test', version: '1' }, options);
  await client.connect(new sdk.StreamableHTTPClientTransport(url, { authProvider: person }));
  if (title)
    await client.callTool({ name: 'create_task', arguments: { title } });
  const { structuredContent } = await client.callTool({ name: 'list_tasks', arguments: {} });
  await client.close();
  return structuredContent.data.tasks.map((task) => task.title);
}

const post = (url, token) => fetch(url, {
  method: 'POST', body: '{}',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}` },
});

for (const [name, sdk, options] of [
  ['1.x', one, {}],
  ['2.x, legacy', two, { versionNegotiation: { mode: 'legacy' } }],
  ['2.x, modern', two, { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
]) {
  test(`${name}: each person sees the own tasks`, () => withServers(async (tasks) => {
    const ann = await getToken(sdk, options, 'ann', tasks.url);
    const ben = await getToken(sdk, options, 'ben', tasks.url);
    assert.deepEqual(await list(sdk, options, ann, tasks.url, 'of Ann'), ['of Ann']);
    assert.deepEqual(await list(sdk, options, ben, tasks.url, 'of Ben'), ['of Ben']);
    assert.deepEqual(await list(sdk, options, ann, tasks.url), ['of Ann']);
    assert.equal(tasks.told(), '');
  }));
}

test('a token for another server', () => withServers(async (tasks, issuer) => {
  const other = await startTasks(issuer);
  try {
    const person = await getToken(two, {}, 'ann', other.url);
    assert.equal((await post(tasks.url, person.kept.tokens.access_token)).status, 401);
    assert.notEqual((await post(other.url, person.kept.tokens.access_token)).status, 401);
  } finally {
    await other.close();
  }
}));

test('a token that was taken back', () => withServers(async (tasks, issuer) => {
  const person = await getToken(two, {}, 'ann', tasks.url);
  const token = person.kept.tokens.access_token;
  const answer = await fetch(`${issuer.url}/token/revocation`,
    { method: 'POST', body: new URLSearchParams({ token, client_id: person.kept.client.client_id }) });
  assert.equal(answer.status, 200);
  assert.equal((await post(tasks.url, token)).status, 401);
  assert.equal((await post(tasks.url, 'made-up')).status, 401);
}));

test('a secret that is wrong', () => withServers(async (_, issuer) => {
  const tasks = await startTasks(issuer, 'another');
  try {
    const person = await getToken(two, {}, 'ann', tasks.url);
    assert.equal((await post(tasks.url, person.kept.tokens.access_token)).status, 503);
    await until(() => /does not let this server ask about tokens/.test(tasks.told()), 'what is wrong');
    assert.ok(!tasks.told().includes(person.kept.tokens.access_token));
  } finally {
    await tasks.close();
  }
}));

await main();
