import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readSignatures, signatureAt } from '../src/sites.ts';

const site = (line, text, rest = {}) => ({ file: 'a.ex', line, column: 3, role: 'signature', text, ...rest });

test('signatures are kept, prompts and what only the program knows are not', () => {
  const tool = site(9, '(q :string) -> :any', { role: 'tool', name: 'search' });
  const listing = [
    site(1, ':int'),
    site(2, 'Hi', { role: 'prompt' }),
    tool,
    site(4, ':int', { dynamic: true }),
  ];
  assert.deepEqual(readSignatures(JSON.stringify(listing)), [site(1, ':int'), tool]);
});

test('what is no listing is an error', () => {
  for (const text of ['', 'null', '{}', '[1]', '[{"role":"signature"}]']) {
    assert.throws(() => readSignatures(text), text);
  }
});

test('the signature at a line is the last that reaches to it', () => {
  const sites = [site(2, '(a :int)\n-> :int'), site(7, ':int'), site(7, ':any')];
  assert.equal(signatureAt(sites, 1), undefined);
  assert.equal(signatureAt(sites, 2), sites[0]);
  assert.equal(signatureAt(sites, 3), sites[0]);
  assert.equal(signatureAt(sites, 4), undefined);
  assert.equal(signatureAt(sites, 7), sites[2]);
});
