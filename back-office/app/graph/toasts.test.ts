import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { endJob, say, showToasts, type Toast } from './toasts.ts';

/** Actions whose result the screen itself shows, and steps of a longer action. */
const SHOWN_OTHERWISE = [
  'AppendImport',
  'CallCapability',
  'CreateApiKey',
  'CreateMemberImport',
  'CreateOrderImport',
  'ImportCoupons',
  'RedeemPointsForCoupon',
  'RemapImport',
  'RequestMemberExport',
];

const nothing = () => undefined;

test('what was said before there is a list is shown by it, once', () => {
  const shown: Toast[] = [];
  say({ text: 'first' });
  const end = showToasts((toast) => shown.push(toast), nothing);
  say({ text: 'second' });
  end();
  say({ text: 'third' });
  expect(shown.map(({ text }) => text)).toEqual(['first', 'second']);
  showToasts((toast) => shown.push(toast), nothing)();
  expect(shown.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
});

test('that a job has begun is taken away once it has ended or was stopped, also before it is shown', () => {
  say({ text: 'begun and ended', begun: 'a' });
  endJob('a');
  say({ text: 'begun', begun: 'b' });
  const shown: string[] = [];
  const hidden: string[] = [];
  const end = showToasts(
    ({ text }) => shown.push(text),
    (job) => hidden.push(job),
  );
  expect([shown, hidden]).toEqual([['begun'], []]);
  endJob('b');
  say({ text: 'stopped', stopped: 'c' });
  end();
  endJob('d');
  expect([shown, hidden]).toEqual([
    ['begun', 'stopped'],
    ['b', 'c'],
  ]);
});

test('after every act something is said, unless its screen shows what came of it', () => {
  const app = join(import.meta.dirname, '..');
  const texts = globSync('screens/**/*.tsx', { cwd: app }).map((file) =>
    readFileSync(join(app, file), 'utf8'),
  );
  const silent = /useAct\(\s*(\w+)Document(?:,\s*\[[^\]]*\])?,?\s*\)/g;
  const found = texts.flatMap((text) => [...text.matchAll(silent)].map(([, name]) => name!));
  expect([...new Set(found)].sort()).toEqual(SHOWN_OTHERWISE);
});
