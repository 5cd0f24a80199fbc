import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { compareVersions } from './compare-versions.ts';
import { generatedProcesses } from './generated-processes.ts';
import { versionTable } from './version-table.ts';

const comparisons = generatedProcesses().map(({ name, histories }) => compareVersions(name, histories));
const LOSS_MAX = 0.005;
const GIVEN_MIN = 50;
const BARS = { HIGH: 0.75, MEDIUM: 0.65, LOW: 0.5 } as const;

test('the page of the standard model shows the table that the command prints', () => {
  const page = readFileSync(new URL('../../STANDARD-MODEL.md', import.meta.url), 'utf8');
  expect(page).toContain(versionTable(comparisons).join('\n'));
});

const distinct = comparisons.filter(({ name }) => name !== 'all alike');

test.each(distinct)('on $name, std-2 orders members no worse than std-1', ({ purchase, longGap }) => {
  expect(purchase['std-2'] - purchase['std-1']).toBeGreaterThan(-LOSS_MAX);
  expect(longGap['std-2'] - longGap['std-1']).toBeGreaterThan(-LOSS_MAX);
});

test('no version tells members apart who are all alike', () => {
  const { purchase, longGap } = comparisons.find(({ name }) => name === 'all alike')!;
  const areas = [...Object.values(purchase), ...Object.values(longGap)];
  expect(areas).not.toHaveLength(0);
  for (const auc of areas) expect(Math.abs(auc - 0.5)).toBeLessThan(0.02);
});

// Too few forecasts for visitors have a confidence to be judged.
const judgedOn = comparisons.filter(({ name }) => name !== 'visitors');
test.each(judgedOn)('on $name, confidence is what the band holds', ({ inBand }) => {
  const judged = Object.entries(inBand).filter(([, { given }]) => given >= GIVEN_MIN);
  expect(judged).not.toHaveLength(0);
  for (const [confidence, { given, true: isTrue }] of judged)
    expect([confidence, isTrue / given >= BARS[confidence as keyof typeof BARS]]).toEqual([confidence, true]);
});

test('members with a rhythm are ordered better, and visitors, too', () => {
  const gains = comparisons.filter(({ name }) => /rhythm|visitors/.test(name));
  expect(gains).toHaveLength(5);
  for (const { purchase } of gains) expect(purchase['std-2']).toBeGreaterThan(purchase['std-1']);
  const { browsers } = comparisons.find(({ name }) => name === 'visitors')!;
  expect(browsers!.auc['std-2'] - browsers!.auc['std-1']).toBeGreaterThan(0.05);
});

test('visitors score about as often as they buy, by std-2 alone', () => {
  const { mean, bought } = comparisons.find(({ name }) => name === 'visitors')!.browsers!;
  expect(Math.abs(mean['std-2'] / bought - 1)).toBeLessThan(0.5);
  expect(mean['std-1'] / bought).toBeGreaterThan(2);
});
