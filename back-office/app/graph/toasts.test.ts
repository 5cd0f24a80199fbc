import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { say, showToasts, type Toast } from './toasts.ts';

/** Acts after which the screen itself shows what came of them, and parts of a longer act. */
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

test('what was said before there is a list is shown by it, once', () => {
  const shown: Toast[] = [];
  say({ text: 'first' });
  const end = showToasts((toast) => shown.push(toast));
  say({ text: 'second' });
  end();
  say({ text: 'third' });
  expect(shown.map(({ text }) => text)).toEqual(['first', 'second']);
  showToasts((toast) => shown.push(toast))();
  expect(shown.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
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
