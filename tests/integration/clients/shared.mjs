// SPDX-License-Identifier: LGPL-2.1-or-later
// What every official client has to get from the tools server, in any era.

import { assert, test, until } from './harness.mjs';

// connect (options): a client with callTool, listTools, close, and its transport.
// asText: how that client's callTool gives arguments that do not match the schema: 'result' or 'error'.
export function sharedTests(label, connect, { badArguments, structuredList }) {
  test(`${label}: tools`, async () => {
    const { client } = await connect({ args: ['--more-tools', '25', '--page-size', '10'] });
    const names = [];
    let cursor;
    do {
      const page = await client.listTools(cursor ? { cursor } : { cursor: undefined });
      names.push(...page.tools.map((tool) => tool.name));
      cursor = names.length < 35 ? page.nextCursor : undefined;
    } while (cursor);
    assert.deepEqual(names.slice(0, 4), ['echo', 'add', 'structured', 'fails']);
    assert.equal(names.length, 35);
    assert.equal(names[34], 'more25');
    await client.close();
  });

  test(`${label}: calls`, async () => {
    const { client } = await connect();
    await client.listTools();
    const text = 'line\nwith "quotes", \u00e9, \u{1f600} and \u2028';
    const echo = await client.callTool({ name: 'echo', arguments: { text } });
    assert.deepEqual(echo.content, [{ type: 'text', text }]);
    assert.ok(!echo.isError);

    const add = await client.callTool({ name: 'add', arguments: { a: 1.5, b: 2 } });
    assert.deepEqual(add.structuredContent, { sum: 3.5 });
    assert.equal(add.content[0].text, '{"sum": 3.5}');

    const list = await client.callTool({ name: 'structured', arguments: {} });
    assert.equal(JSON.parse(list.content[0].text).length, 2);
    assert.deepEqual(list.structuredContent, structuredList);

    const image = await client.callTool({ name: 'image' });
    assert.equal(image.content[1].mimeType, 'image/png');
    assert.equal(Buffer.from(image.content[1].data, 'base64').subarray(1, 4).toString(), 'PNG');
    await client.close();
  });

  test(`${label}: failures`, async () => {
    const { client } = await connect();
    const fails = await client.callTool({ name: 'fails', arguments: {} });
    assert.equal(fails.isError, true);
    assert.match(fails.content[0].text, /ask for something else/);
    await assert.rejects(client.callTool({ name: 'fails', arguments: { code: -7 } }), (error) => {
      assert.equal(error.code, -7);
      return /the code -7/.test(error.message);
    });
    await assert.rejects(client.callTool({ name: 'nope', arguments: {} }), { code: -32602 });
    await assert.rejects(client.callTool({ name: 'never', arguments: {} }), { code: -32603 });

    const wrong = client.callTool({ name: 'echo', arguments: { text: 1 } });
    if (badArguments === 'error') {
      await assert.rejects(wrong, { code: -32602 });
    } else {
      const result = await wrong;
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /text/);
    }
    await client.close();
  });

  test(`${label}: progress and many at once`, async () => {
    const { client } = await connect();
    const seen = [];
    const [slow, ...echoes] = await Promise.all([
      client.callTool(...connect.call({ name: 'slow', arguments: { steps: 5, step_ms: 2 } },
        { onprogress: (progress) => seen.push(progress) })),
      ...Array.from({ length: 100 }, (_, i) =>
        client.callTool({ name: 'echo', arguments: { text: `${i}` } })),
    ]);
    assert.equal(slow.content[0].text, 'step 5 of 5');
    // These clients drop what comes in one read with the answer.
    assert.deepEqual(seen, [1, 2, 3, 4, 5].slice(0, seen.length)
      .map((progress) => ({ progress, total: 5, message: `step ${progress} of 5` })));
    assert.deepEqual(echoes.map((echo) => echo.content[0].text),
      Array.from({ length: 100 }, (_, i) => `${i}`));
    await client.close();
  });

  test(`${label}: cancelling`, async () => {
    const { client, stderr } = await connect();
    const controller = new AbortController();
    const seen = [];
    const call = client.callTool(
      ...connect.call({ name: 'slow', arguments: { steps: 100000, step_ms: 1 } },
        { signal: controller.signal, onprogress: (progress) => seen.push(progress) }));
    call.catch(() => {});
    await until(() => seen.length > 2, 'progress');
    controller.abort('enough');
    await assert.rejects(call);
    await until(() => stderr().includes('slow: cancelled'), 'the end of the cancelled call');
    const echo = await client.callTool({ name: 'echo', arguments: { text: 'still here' } });
    assert.equal(echo.content[0].text, 'still here');
    await client.close();
  });

  test(`${label}: the list changes`, async () => {
    let changes = 0;
    const { client } = await connect({ onToolsChanged: () => changes++ });
    await client.callTool({ name: 'set_extra', arguments: { on: true } });
    await until(() => changes === 1, 'the change');
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === 'extra'));
    await client.callTool({ name: 'set_extra', arguments: { on: false } });
    await until(() => changes === 2, 'the second change');
    await client.close();
  });
}
