// SPDX-License-Identifier: LGPL-2.1-or-later
// What a client of another maker is asked to do with gmcp-tasks; how the client is made comes from
// the script that imports this one. The clients check each structured content against the tool's
// output schema, and throw where it does not match.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assert, test } from './harness.mjs';

const TOOLS = ['complete_task', 'create_task', 'delete_task', 'list_tasks', 'update_task'];

function assertOneForm(result) {
  assert.equal(result.content.length, 1);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
}

function done(result) {
  assert.ok(!result.isError, JSON.stringify(result));
  const { success, data, error, error_code: code } = result.structuredContent;
  assert.deepEqual({ success, error, code }, { success: true, error: null, code: null });
  assertOneForm(result);
  return data;
}

function assertFailed(result, expectedCode) {
  assert.equal(result.isError, true);
  const { success, data, error, error_code: code } = result.structuredContent;
  assert.deepEqual({ success, data, code }, { success: false, data: null, code: expectedCode });
  assert.ok(error);
  assertOneForm(result);
}

async function checkTools(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), TOOLS);
  for (const tool of tools) {
    assert.ok(tool.title && tool.description);
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.outputSchema.type, 'object');
    assert.equal(tool.annotations.readOnlyHint, tool.name === 'list_tasks');
    assert.equal(tool.annotations.destructiveHint, tool.name === 'delete_task');
  }
}

async function checkLifeOfTask(client) {
  const call = (name, args) => client.callTool({ name, arguments: args });
  const { task } = done(await call('create_task', {
    title: 'Milch – 牛乳 🥛', description: 'two\nlines', due_date: '2026-08-01',
  }));
  assert.equal(task.title, 'Milch – 牛乳 🥛');
  assert.equal(task.status, 'pending');
  assert.deepEqual(done(await call('list_tasks', {})), { tasks: [task], total: 1 });

  const changed = done(await call('update_task', { task_id: task.id, description: '' })).task;
  assert.equal(changed.description, null);
  assert.equal(changed.title, task.title);

  const completed = done(await call('complete_task', { task_id: task.id, completed: true })).task;
  assert.equal(completed.status, 'completed');
  assert.equal(done(await call('list_tasks', { status: 'pending' })).total, 0);

  assertFailed(await call('delete_task', { task_id: task.id }), 'CONFIRMATION_REQUIRED');
  assert.deepEqual(done(await call('delete_task', { task_id: task.id, confirm: true })),
    { deleted_task_id: task.id });
  assert.deepEqual(done(await call('list_tasks', {})), { tasks: [], total: 0 });
}

async function checkFailures(client) {
  const call = (name, args) => client.callTool({ name, arguments: args });
  assertFailed(await call('create_task', { title: '  ' }), 'VALIDATION_ERROR');
  assertFailed(await call('create_task', { title: 'x', due_date: '2026-02-30' }), 'VALIDATION_ERROR');
  assertFailed(await call('update_task', { task_id: 'none' }), 'VALIDATION_ERROR');
  assertFailed(await call('update_task', { task_id: 'none', title: 'x' }), 'TASK_NOT_FOUND');
  assertFailed(await call('complete_task', { task_id: 'none', completed: true }), 'TASK_NOT_FOUND');
}

async function checkRefusedArguments(client) {
  const refused = [
    ['create_task', {}],
    ['create_task', { title: 'x'.repeat(201) }],
    ['create_task', { title: 7 }],
    ['list_tasks', { limit: 0 }],
    ['list_tasks', { status: 'done' }],
    ['list_tasks', { colour: 'red' }],
    ['complete_task', { task_id: 'x' }],
  ];
  for (const [name, args] of refused) {
    assertFailed(await client.callTool({ name, arguments: args }), 'VALIDATION_ERROR');
  }
}

// A server of PostgreSQL is one for all: each part has a user of its own.
let nUsers = 0;

export function tasksTests(title, connect, expectedVersion) {
  const parts = {
    'its tools': checkTools,
    'the life of a task': checkLifeOfTask,
    'failures': checkFailures,
    'refused arguments': checkRefusedArguments,
  };

  for (const [part, check] of Object.entries(parts)) {
    test(`${title}: ${part}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gmcp-tasks-'));
      try {
        const { client, version } = await connect({
          command: process.argv[2],
          args: ['--database', process.env.GMCP_TEST_POSTGRES ?? join(folder, 'tasks.db'), '--user', `tester ${++nUsers}`],
          env: { ...process.env },
        });
        assert.equal(version, expectedVersion);
        assert.equal(client.getServerVersion().name, 'gmcp-tasks');
        await check(client);
        await client.close();
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
}
