// SPDX-License-Identifier: LGPL-2.1-or-later
// @modelcontextprotocol/client 2.x, in both eras, with a server of a provider of its own: notes-client-2.mjs COMMAND…
// Its template has texts and bytes, and says of some how long they stay fresh.

import { assert, main, require, test, until } from './harness.mjs';

const { Client } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

const [command, ...args] = process.argv.slice(2);

for (const [mode, era] of [['auto', 'modern'], ['legacy', 'legacy']]) {
  const modern = era === 'modern';

  async function connect(capabilities = {}) {
    const client = new Client({ name: 'client-2', version: '2' }, { capabilities, versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command, args, env: process.env }));
    assert.equal(client.getProtocolEra(), era);
    return client;
  }

  const call = async (client, name, args = {}) => (await client.callTool({ name, arguments: args })).content[0].text;

  test(`${mode}: tools`, async () => {
    const client = await connect({ elicitation: {} });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      assert.equal(params.message, 'Which color?');
      return { action: 'accept', content: { color: 'blue' } };
    });
    assert.equal(await call(client, 'count_words', { text: 'to be or not' }), '4 words');
    assert.equal((await client.callTool({ name: 'count_words', arguments: { text: 4 } })).isError, true);
    assert.deepEqual(JSON.parse(await call(client, 'ask')), { action: 'accept', content: { color: 'blue' } });
    await assert.rejects(call(client, 'drop'), { code: -32603 });
    await client.close();
  });

  test(`${mode}: resources`, async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    assert.deepEqual(resources, [{ uri: 'note:1', name: 'One', mimeType: 'text/plain' }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates, [{ uriTemplate: 'note:{n}', name: 'Notes' }]);

    const day = await client.readResource({ uri: 'note:monday' });
    assert.deepEqual(day.contents, [{ uri: 'note:monday', mimeType: 'text/plain', text: 'Rest' }]);
    assert.deepEqual([day.ttlMs, day.cacheScope], modern ? [86400000, 'public'] : [undefined, undefined]);
    const picture = await client.readResource({ uri: 'note:picture' });
    assert.deepEqual(picture.contents, [{ uri: 'note:picture', mimeType: 'image/png', blob: 'iVAA/w==' }]);
    if (modern)
      assert.deepEqual([picture.ttlMs, picture.cacheScope], [60000, 'private']);
    // It takes -32002, as it was before, for this.
    await assert.rejects(client.readResource({ uri: 'note:9' }), { code: -32602 });

    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'note:{n}' }, argument: { name: 'n', value: 'm' },
    });
    assert.deepEqual(completion.values, ['monday']);
    await client.close();
  });

  test(`${mode}: an update`, async () => {
    const client = await connect();
    const updated = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.push(params.uri));
    const subscription = modern ? await client.listen({ resourceSubscriptions: ['note:1'] }) : null;
    if (!modern)
      await client.subscribeResource({ uri: 'note:1' });
    assert.equal((await client.readResource({ uri: 'note:1' })).contents[0].text, 'one');
    assert.equal(await call(client, 'write', { text: 'two' }), 'written');
    await until(() => updated.length === 1, 'the update');
    assert.deepEqual(updated, ['note:1']);
    assert.equal((await client.readResource({ uri: 'note:1' })).contents[0].text, 'two');
    await (modern ? subscription.close() : client.unsubscribeResource({ uri: 'note:1' }));
    await client.close();
  });

  test(`${mode}: prompts`, async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts, [{ name: 'greet', description: 'Greets', arguments: [{ name: 'name', required: true }] }]);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } });
    assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Greet Ann' } }]);
    await assert.rejects(client.getPrompt({ name: 'greet' }), { code: -32602 });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'ant' },
    });
    assert.deepEqual(completion.values, ['anton']);
    await client.close();
  });
}

await main();
