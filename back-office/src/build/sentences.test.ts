import { readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, test } from '@jest/globals';
import { apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { inputRuleNames } from '@loyalty/platform/base/input-rules';
import type { GraphQLEnumType } from 'graphql';
import en from '../../app/messages/reasons.en.json' with { type: 'json' };
import pt from '../../app/messages/reasons.pt.json' with { type: 'json' };

const schema = apiSchemaOf(readFileSync(supergraphFile, 'utf8'));
const valuesOf = (name: string): string[] =>
  (schema.getType(name) as GraphQLEnumType).getValues().map((value) => value.name);

const languages = [
  ['English', en],
  ['Portuguese', pt],
] as const;

test.each(languages)(
  '%s has a sentence for each reason, category and rule, and none beside them',
  (_, texts) => {
    const wanted = [
      ...valuesOf('ErrorReason'),
      ...valuesOf('ErrorCategory').map((name) => `category.${name}`),
      ...[...inputRuleNames, 'OTHER'].map((name) => `rule.${name}`),
    ];
    expect(wanted.length).toBeGreaterThan(300);
    expect(wanted.filter((key) => !Object.hasOwn(texts, key))).toEqual([]);
    expect(Object.keys(texts).filter((key) => !wanted.includes(key))).toEqual([]);
  },
);

/** The placeholders of a text, including nested ones. */
const placeholders = (parts: readonly MessageFormatElement[]): string[] =>
  parts.flatMap((part) => {
    if (part.type === TYPE.literal || part.type === TYPE.pound) return [];
    const within = 'options' in part ? Object.values(part.options) : [];
    return [part.value, ...within.flatMap(({ value }) => placeholders(value))];
  });

const named = (text: string): string[] => [...new Set(placeholders(parse(text)))].sort();

test('both languages name the same values', () => {
  for (const [key, text] of Object.entries(en))
    expect([key, named(pt[key as keyof typeof pt])]).toEqual([key, named(text)]);
});

/** Returns the text with the longest alternative of each choice. */
const longest = (parts: readonly MessageFormatElement[]): string =>
  parts
    .map((part) => {
      if (part.type === TYPE.literal) return part.value;
      if (!('options' in part)) return '10,000';
      const choices = Object.values(part.options).map(({ value }) => longest(value));
      return choices.reduce((best, each) => (each.length > best.length ? each : best), '');
    })
    .join('');

const LENGTH_MAX = 140;

test.each(languages)('what is said in %s is short', (_, texts) => {
  const long = Object.entries(texts).filter(([, text]) => longest(parse(text)).length > LENGTH_MAX);
  expect(long).toEqual([]);
});

/** Words of the API, which staff at a till or in an office do not know. */
const API_WORDS = new RegExp(
  [
    '\\b(input|field path|mutation|query|queries|endpoint|argument|header|payload|token|operation)\\b',
    '\\b(subgraph|gateway|graphql|uuid|schema|idempotency|scopes?|null)\\b',
    '/api/',
    '\\b[A-Z]+_[A-Z_]+\\b',
    '\\b[a-z]+[A-Z]',
  ].join('|'),
);

test.each(languages)('what is said in %s has no words of the API', (_, texts) => {
  const spoken = Object.entries(texts).map(([key, text]) => [key, longest(parse(text))] as const);
  expect(spoken.filter(([, text]) => API_WORDS.test(text))).toEqual([]);
});
