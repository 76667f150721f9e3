// SPDX-License-Identifier: LGPL-2.1-or-later
// The official clients of both generations sign in to a server that asks who they are: with a token that they have,
// and at an authorization server that they find by themselves: sign-in.mjs COMMAND…

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { assert, main, require, test } from './harness.mjs';

const one = {
  ...require('@modelcontextprotocol/sdk/client/auth.js'),
  ...require('@modelcontextprotocol/sdk/client/index.js'),
  ...require('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};
const two = require('@modelcontextprotocol/client');

const [command, ...args] = process.argv.slice(2);
const REDIRECT = 'http://localhost:1/callback';

// An authorization server whose only user agrees at once. asked has what it was asked.
async function startIssuer() {
  const asked = {};
  let challenge;
  const listener = createServer(async (request, response) => {
    const url = new URL(request.url, issuer.url);
    let body = '';
    for await (const chunk of request)
      body += chunk;
    const send = (status, value) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      send(200, {
        issuer: issuer.url, authorization_endpoint: `${issuer.url}/authorize`, token_endpoint: `${issuer.url}/token`,
        registration_endpoint: `${issuer.url}/register`, response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'], code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'], authorization_response_iss_parameter_supported: true,
      });
    } else if (url.pathname === '/register') {
      send(201, { ...JSON.parse(body), client_id: 'test' });
    } else if (url.pathname === '/authorize') {
      asked.scope = url.searchParams.get('scope');
      challenge = url.searchParams.get('code_challenge');
      response.writeHead(302, { Location: `${REDIRECT}?code=once&iss=${encodeURIComponent(issuer.url)}&state=${url.searchParams.get('state') ?? ''}` });
      response.end();
    } else if (url.pathname === '/token') {
      const form = new URLSearchParams(body);
      const hash = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
      asked.resource = form.get('resource');
      send(form.get('code') === 'once' && hash === challenge ? 200 : 400,
        { access_token: 'here', token_type: 'Bearer', expires_in: 3600, scope: 'tasks' });
    } else {
      send(404, {});
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const issuer = { url: `http://127.0.0.1:${listener.address().port}`, asked, close: () => listener.close() };
  return issuer;
}

async function startServer(properties) {
  const server = spawn(command, [...args, 'serve', JSON.stringify(properties)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  server.stdout.resume();
  return { url: new URL(String(line).trim()), close: () => server.stdin.end() };
}

async function withServer(run) {
  const issuer = await startIssuer();
  const server = await startServer({
    authorization_servers: [issuer.url], scopes_supported: ['tasks', 'more'], required_scopes: ['tasks'],
  });
  try {
    await run(server.url, issuer);
  } finally {
    server.close();
    issuer.close();
  }
}

// What a program with a browser keeps.
class Provider {
  kept = {};
  redirectUrl = REDIRECT;
  clientMetadata = { client_name: 'test', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
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

const whoami = async (client) => (await client.callTool({ name: 'whoami', arguments: {} })).content[0].text;

for (const [name, sdk, options, version] of [
  ['1.x', one, {}, '2025-11-25'],
  ['2.x, legacy', two, { versionNegotiation: { mode: 'legacy' } }, '2025-11-25'],
  ['2.x, modern', two, { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
  ['2.x', two, { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
]) {
  const makeClient = () => new sdk.Client({ name: 'test', version: '1' }, options);

  test(`${name}: a token that it has`, () => withServer(async (url) => {
    const client = makeClient();
    const transport = new sdk.StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: 'Bearer here' } } });
    await client.connect(transport);
    assert.equal(client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion, version);
    assert.equal(await whoami(client), 'ann');
    await client.close();
  }));

  test(`${name}: a token that is not good`, () => withServer(async (url) => {
    for (const headers of [{}, { Authorization: 'Bearer bad' }, { Authorization: 'Bearer other' }])
      await assert.rejects(makeClient().connect(new sdk.StreamableHTTPClientTransport(url, { requestInit: { headers } })),
        (error) => /401|[Uu]nauthorized/.test(`${error.name} ${error.code} ${error.message}`));
  }));

  test(`${name}: what the answer and the document tell`, () => withServer(async (url, issuer) => {
    const response = await fetch(url, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json', Accept: '*/*' } });
    assert.equal(response.status, 401);
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
    assert.equal(scope, 'tasks');
    assert.equal(resourceMetadataUrl.href, new URL(`/.well-known/oauth-protected-resource${url.pathname}`, url).href);
    for (const opts of [{ resourceMetadataUrl }, {}]) {
      const document = await sdk.discoverOAuthProtectedResourceMetadata(url, opts);
      assert.equal(document.resource, url.href);
      assert.deepEqual(document.authorization_servers, [issuer.url]);
      assert.deepEqual(document.scopes_supported, ['tasks', 'more']);
    }
    const info = await sdk.discoverOAuthServerInfo(url);
    assert.equal(info.authorizationServerUrl, issuer.url);
    assert.equal(info.authorizationServerMetadata.token_endpoint, `${issuer.url}/token`);
  }));

  test(`${name}: signing in by itself`, () => withServer(async (url, issuer) => {
    const provider = new Provider();
    const first = new sdk.StreamableHTTPClientTransport(url, { authProvider: provider });
    await assert.rejects(makeClient().connect(first));
    const answer = await fetch(provider.kept.url, { redirect: 'manual' });
    const params = new URL(answer.headers.get('Location')).searchParams;
    await (sdk === one ? first.finishAuth(params.get('code')) : first.finishAuth(params));
    assert.deepEqual(issuer.asked, { scope: 'tasks', resource: url.href });

    const client = makeClient();
    await client.connect(new sdk.StreamableHTTPClientTransport(url, { authProvider: provider }));
    assert.equal(await whoami(client), 'ann');
    await client.close();
  }));
}

await main();
