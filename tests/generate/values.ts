import type { GetOutput2Input, GetOutput2Output, GetOutputInput, GetUser2Input, GetUser2Output, GetUserOutput, PartsInput, PartsOutput, SearchInput, SearchOutput, StatusInput, StatusOutput, Tool9LivesOutput } from './signatures';

export const fits: [SearchInput, SearchOutput, GetUserOutput, GetUser2Input, GetUser2Output, Tool9LivesOutput] = [
  { query: 'a', at: '2026-05-03T09:14:00Z', 'order-count': 1.5 },
  [{ id: 1, owner: { name: 'Ada', class: 'admin' } }],
  { anything: true },
  { class: true, data: { a: 1 }, opts: null, str: 's' },
  { a: 1, __b: 'b', items: [[1.5]] },
  null,
];

export const missing: SearchInput = { query: 'a', at: 'b' }; // error
export const mistyped: SearchInput = { query: 1, at: 'b', 'order-count': 1 }; // error
export const unnamed: SearchInput = { query: 'a', at: 'b', 'order-count': 1, more: 1 }; // error
export const nested: SearchOutput = [{ id: 1, owner: { name: 1, class: 'c' } }]; // error
export const nothing: GetUser2Output = { ok: null, a: null, __b: 'b', items: [] }; // error

export const empty: [StatusInput, StatusOutput, PartsInput, PartsOutput] = [{}, { anything: 1 }, { class: [{ a: 1 }] }, [{ b: 2 }]];
export const odd: [GetOutputInput, GetOutput2Input, GetOutput2Output] = [
  { self: 1, 'page-size': 2, page_size: 'b' },
  { nil: 1, do: 'a', None: 2 },
  { a: { b: [{ c: { d: 1 } }] } },
];
export const given: StatusInput = { a: 1 }; // error
export const alike: GetOutputInput = { self: 1, 'page-size': 'a', page_size: 'b' }; // error
export const deep: GetOutput2Output = { a: { b: [{ c: { d: 'x' } }] } }; // error
