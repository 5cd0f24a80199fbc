import { expect, test } from '@jest/globals';
import { createBoundedWork } from '@loyalty/platform/work/bounded-work';
import { checkLiquid } from './check-liquid.ts';
import { liquidNames } from './liquid.ts';
import type { RenderingJob } from './render.thread.ts';
import type { RenderOutcome } from './render.ts';

/**
 * Much more than the limits allow, because the machine may be busy. The test fails if the thread is ended.
 */
const MS_MAX = 20_000;
const work = createBoundedWork<RenderingJob, readonly RenderOutcome[]>(
  new URL('./render.thread.ts', import.meta.url),
  { memoryMb: 384, msMax: MS_MAX, ready: null },
);
const owner = { scope: { workspaceId: 'a workspace' }, request: { signal: new AbortController().signal } };

const LONG = 300_000;
const long = 'a'.repeat(LONG / 1_000);
let nested: unknown[] = ['x'];
for (let level = 0; level < 40; level += 1) nested = [nested, nested];
/** Data that templates can build or senders can give. */
const data = {
  text: `b${'a'.repeat(LONG)}`,
  spaces: `x${' \n'.repeat(LONG / 2)}x`,
  tags: '<!--<script <style'.repeat(LONG / 20),
  base64: '='.repeat(LONG),
  format: '%9999999d%-_^#:'.repeat(LONG / 20),
  path: 'a.'.repeat(LONG / 10),
  brackets: `a${'["a"]'.repeat(LONG / 10)}`,
  many: Array.from({ length: LONG / 4 }, (_, index) => index),
  rows: Array.from({ length: LONG / 20 }, (_, index) => ({ a: { a: `${long}${index % 2}` } })),
  pair: [`${long}x`, `${long}y`],
  nested,
};

/** Thousands of pairs of texts that differ only at their ends. A template can build them from a few texts. */
const twins = {
  before: `{% assign twins = data.pair %}${'{% assign twins = twins | concat: twins %}'.repeat(11)}`,
  value: 'twins',
};
const values = [...Object.keys(data).map((name) => ({ before: '', value: `data.${name}` })), twins];

/** Renders templates one by one. */
async function renderAll(templates: readonly string[]): Promise<RenderOutcome[]> {
  const messages = templates.map((html) => ({
    content: { subject: 'x', html, text: '' },
    variables: { member: null, data },
  }));
  const outcomes: RenderOutcome[] = [];
  while (outcomes.length < messages.length)
    outcomes.push(...(await work.run(owner, { kind: 'render', messages: messages.slice(outcomes.length) })));
  return outcomes;
}

test.each(liquidNames.filters)('the filter %s ends, whatever it is given', async (filter) => {
  const given = [
    '',
    ': data.path, data.text',
    ': data.brackets, data.pair',
    ': data.format',
    ': data.nested',
  ];
  const templates = values.flatMap(({ before, value }) =>
    given.map((each) => `${before}{{ ${value} | ${filter}${each} | size }}`),
  );
  expect(await renderAll(templates)).toHaveLength(templates.length);
});

const loop = (body: string): string => `{% for i in (1..9999999) %}{% for j in data.many %}${body}`;
const inLoops = (body: string): string => `${loop(body)}{% endfor %}{% endfor %}`;
/** A hostile use of each tag. */
const hostile: Readonly<Record<string, string>> = {
  '#': inLoops('{% # nothing %}'),
  assign: '{% assign a = data.many %}{% for i in (1..99) %}{% assign a = a | concat: a %}{% endfor %}{{ a }}',
  break: inLoops('{% break %}'),
  capture:
    '{% assign a = "ab" %}{% for i in (1..99) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}',
  case: `{% case data.nested %}${'{% when data.nested, data.pair %}x'.repeat(9_000)}{% endcase %}`,
  comment: inLoops('{% comment %}x{% endcomment %}'),
  continue: inLoops('{% continue %}'),
  cycle: inLoops("{% cycle 'a', 'b' %}"),
  decrement: inLoops('{% decrement a %}'),
  echo: '{% echo data.nested %}',
  for: inLoops(''),
  if: `{% if ${'data.pair == data.pair or '.repeat(9_000)} data.text contains data.text %}x{% endif %}`,
  increment: inLoops('{% increment a %}'),
  liquid: `{% liquid\n${'echo data.pair | sort | join\n'.repeat(9_000)}%}`,
  raw: inLoops('{% raw %}{{ a }}{% endraw %}'),
  tablerow: '{% tablerow i in data.many cols:1 %}{{ data.text }}{% endtablerow %}',
  unless: `{% unless ${'data.text contains data.path and '.repeat(9_000)} true %}x{% endunless %}`,
};

test.each(liquidNames.tags)('the tag %s ends, whatever it is given', async (tag) => {
  expect(hostile[tag]).toBeDefined();
  expect(await renderAll([hostile[tag]!])).toHaveLength(1);
});

test.each(values)('$value can be printed, looped over and compared', async ({ before, value }) => {
  const templates = [
    `{{ ${value} }}{{ ${value} | raw }}`,
    inLoops(`{{ ${value} }}`),
    `{% for i in ${value} %}{% for j in ${value} %}{{ i }}{{ j }}{% endfor %}{% endfor %}`,
    ...['==', '!=', '<', 'contains'].map((operator) =>
      inLoops(`{% if ${value} ${operator} ${value} %}x{% endif %}`),
    ),
  ];
  expect(await renderAll(templates.map((each) => before + each))).toHaveLength(templates.length);
});

const evaluating = [...['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']];

test.each(evaluating)('%s, which evaluates a text, is no filter', (filter) => {
  expect(() => checkLiquid('text', `{{ data.a | ${filter}: "i", "i" }}`)).toThrow('undefined filter');
  expect(liquidNames.filters.filter((name) => name.endsWith('_exp'))).toEqual([]);
});
