import { expect, test } from '@jest/globals';
import { faults } from './faults.fixture.ts';
import { words } from './words.rules.ts';
import { retiredWords } from './words.ts';

test.each([
  'const patienceMs = 1;',
  'const PATIENCE_MS = 1;',
  'interface Patience {}',
  '// A stand-in for a field.',
  'const standIns = [];',
  '"PAID unless told."',
  'const LOOK_EVERY_MS = 1;',
  'await tellMoves(tx);',
  '/** Event that the subgraph told. */',
  'export const learnOrderJob = 1;',
  'await holdMembers(ctx);',
  "import { grouped } from './batch.ts';",
  'const ran = await inLanes(LANES, calls);',
  'await ctx.aside().sql.query();',
  'socket-words',
  'const socketWords = 1;',
  '"Personal fields in clear."',
  'const row = inClear(member);',
  'function findPointsEntry() {}',
  'A caller reads what he wrote.',
])('refused: %s', (text) => {
  expect(faults(words, { 'platform/src/a.ts': text })).toEqual(['platform/src/a.ts:1']);
});

test.each([
  'The page looks for changes.',
  'A look-up by the unique index.',
  'Two causes are told apart, and a log tells whether it was the first.',
  'Credits are set aside.',
  'Reserve the most, and settle what it cost.',
  'Whoever holds a coupon; two members hold none.',
  'await Promise.allSettled(all);',
  'GROUP BY day: rows are grouped by day.',
  'coalesce(a, b)',
  'requests in flight; a single flight',
  'heartbeat, placeholder, preflight, indoors',
  'a client learns nothing of drafts',
  'SELECT id FROM loyalty.points_entries',
  'kind::loyalty."PointsEntryKind"',
])('allowed: %s', (text) => {
  expect(faults(words, { 'platform/src/a.ts': text })).toEqual([]);
});

test('the name of a file is checked like its text', () => {
  const texts = { 'platform/src/socket-words.ts': '', 'README.md': 'The doors of the product.' };
  expect(faults(words, texts)).toEqual(['platform/src/socket-words.ts:1', 'README.md:1']);
});

test('a word is allowed in files where it is the correct one', () => {
  const text = 'await settle(tx);';
  expect(faults(words, { 'subgraphs/model/src/credits/wallet.service.ts': text })).toEqual([]);
  expect(faults(words, { 'subgraphs/loyalty/src/tiers/tiers.service.ts': text })).toHaveLength(1);
});

test('migrations and generated files are not checked', () => {
  const texts = {
    'prisma/migrations/1_doors/migration.sql': 'doors',
    'gateway/supergraph.graphql': 'doors',
    'package-lock.json': 'doors',
  };
  expect(faults(words, texts)).toEqual([]);
});

test('no pattern keeps state: each finds the same in a second run', () => {
  expect(retiredWords.filter(({ pattern }) => pattern.flags !== '')).toEqual([]);
});
