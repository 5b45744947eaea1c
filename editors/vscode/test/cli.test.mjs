import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run } from '../src/cli.ts';

test('a run gives both outputs and the exit code', async () => {
  const script =
    'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{console.log(s);console.error("e");process.exit(1)})';
  assert.deepEqual(await run(process.execPath, ['-e', script], 'é😀'), {
    code: 1,
    stdout: 'é😀\n',
    stderr: 'e\n',
  });
});

test('a program that does not read its input is no error', async () => {
  const outcome = await run(process.execPath, ['-e', 'process.exit(3)'], 'x'.repeat(1 << 20));
  assert.equal(outcome.code, 3);
});

test('a program that is not there is an error', async () => {
  await assert.rejects(run('/nowhere/signature-ls', []), /ENOENT/);
});
