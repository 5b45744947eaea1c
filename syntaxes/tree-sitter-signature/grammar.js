/**
 * @file Signature strings, the compact contracts of LLM agents and tools
 * @license MIT OR Apache-2.0
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** The words after a colon. They are tokens, so that an unknown word is an error. */
const TYPE_WORDS = [
  'string',
  'int',
  'float',
  'bool',
  'boolean',
  'keyword',
  'datetime',
  'map',
  'any',
];

/** @param {RuleOrLiteral} rule */
const commaSep = (rule) => optional(seq(rule, repeat(seq(',', rule))));

export default grammar({
  name: 'signature',

  // Exactly these: a non-breaking space, say, is an error.
  extras: () => [/[ \t\r\n]/],

  word: ($) => $.name,

  rules: {
    source: ($) => choice($.signature, $._type),

    signature: ($) =>
      seq(field('parameters', $.parameters), '->', field('output', $._type)),

    parameters: ($) => seq('(', commaSep($.parameter), ')'),

    parameter: ($) => seq(field('name', $.name), field('type', $._type)),

    // Only a primitive takes the question mark: no released parser has it after a list or a record.
    _type: ($) => choice($.primitive, $.optional, $.list, $.record),

    optional: ($) => seq($.primitive, token.immediate('?')),

    primitive: () => token(choice(...TYPE_WORDS.map((word) => `:${word}`))),

    list: ($) => seq('[', field('element', $._type), ']'),

    record: ($) => seq('{', commaSep($.field), '}'),

    field: ($) => seq(field('name', $.name), field('type', $._type)),

    name: () => /[A-Za-z_][A-Za-z0-9_-]*/,
  },
});
