// SPDX-License-Identifier: LGPL-2.1-or-later
// What the scripts of this folder share: packages out of the tests' npm folder, and TAP.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

export { assert };

export const require = createRequire(process.env.GMCP_TEST_NODE_MODULES + '/');
export const server = process.env.GMCP_TOOLS_SERVER;

const tests = [];

export function test(name, run) {
  tests.push({ name, run });
}

export async function until(condition, what) {
  const end = Date.now() + 60000;
  // To look is work, too, for a browser above all.
  for (let pause = 5; !(await condition()); pause = Math.min(1.5 * pause, 100)) {
    assert.ok(Date.now() < end, `${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export async function main() {
  let failed = 0;
  console.log(`1..${tests.length}`);
  for (const [index, { name, run }] of tests.entries()) {
    try {
      await run();
      console.log(`ok ${index + 1} ${name}`);
    } catch (error) {
      failed++;
      console.log(`not ok ${index + 1} ${name}`);
      console.log(String(error.stack ?? error).replace(/^/gm, '# '));
    }
  }
  process.exit(failed ? 1 : 0);
}
