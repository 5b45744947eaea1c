import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { locateServer } from '../src/locate.ts';

describe('the server is found', () => {
  let root;

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'locate-'));
    for (const folder of ['bundled/server', 'empty', 'first', 'second', 'folder/signature-ls']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    for (const folder of ['bundled/server', 'first', 'second']) program(folder, 0o755);
    mkdirSync(join(root, 'plain'));
    program('plain', 0o644);
  });
  after(() => rmSync(root, { recursive: true }));

  function program(folder, mode) {
    const path = join(root, folder, 'signature-ls');
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, mode);
  }

  const locate = (places) =>
    locateServer({
      setting: places.setting ? join(root, places.setting) : '',
      extension: join(root, places.extension ?? 'empty'),
      path: (places.path ?? []).map((folder) => join(root, folder)).join(delimiter),
      platform: 'linux',
    });

  test('in the setting before all else', async () => {
    const found = await locate({ setting: 'second/signature-ls', extension: 'bundled', path: ['first'] });
    assert.deepEqual(found, { path: join(root, 'second/signature-ls'), origin: 'setting' });
  });

  test('in the extension before the PATH', async () => {
    const found = await locate({ extension: 'bundled', path: ['first'] });
    assert.deepEqual(found, { path: join(root, 'bundled/server/signature-ls'), origin: 'bundle' });
  });

  test('on the PATH, past folders and files that cannot be started', async () => {
    const found = await locate({ path: ['empty', 'folder', 'plain', 'second', 'first'] });
    assert.deepEqual(found, { path: join(root, 'second/signature-ls'), origin: 'PATH' });
  });

  test('never by a relative entry of the PATH', async () => {
    const found = await locateServer({ setting: '', extension: root, path: '.:bin:', platform: 'linux' });
    assert.match(found.reason, /none on the PATH/);
  });

  test('a wrong setting is reported', async () => {
    for (const setting of ['nowhere/signature-ls', 'plain/signature-ls', 'folder/signature-ls']) {
      const found = await locate({ setting, extension: 'bundled' });
      assert.match(found.reason, /names no program/, setting);
    }
    const relative = await locateServer({ setting: 'bin/x', extension: root, path: '', platform: 'linux' });
    assert.match(relative.reason, /not an absolute path/);
  });
});
