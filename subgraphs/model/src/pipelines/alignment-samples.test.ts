import { describe, expect, test } from '@jest/globals';
import { alignmentCsv, type GivenSample } from './alignment.fixture.ts';
import { readAlignmentSamples } from './alignment-samples.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const config = { origin: 'live', horizon: 30, ruleVersion: null, definition: null } as const;
const read = (content: string, horizon = 30) => readAlignmentSamples({ ...config, horizon }, content, NOW);
const issuesOf = (content: string, horizon = 30) => read(content, horizon).issues;

test('a right file is read in the order of its dates', () => {
  const { issues, sampleCount, samples } = read(alignmentCsv());
  expect(issues).toEqual([]);
  expect(sampleCount).toBe(900);
  expect(samples!.events[0]![0]).toEqual({ ms: expect.any(Number), type: 'buy' });
});

describe('each fault is named with its row and column', () => {
  const event = (seconds: number | string, type = 'buy', third: unknown = 0) => [seconds, type, third, 0];
  const events = (...items: unknown[]) =>
    JSON.stringify([event(1_600_000_000), event(1_600_000_001), ...items]);
  test.each<[string, GivenSample, string, RegExp]>([
    ['a sample twice', { sample_id: 's-0' }, 'sample_id', /row 1/],
    ['an entity twice', { entity_id: 'e-0' }, 'entity_id', /row 1/],
    ['an empty id', { sample_id: '' }, 'sample_id', /1 to 200/],
    ['a bad date', { as_of: '2026-02-30' }, 'as_of', /ISO 8601/],
    ['another horizon', { label_end: '2026-02-01T00:00:00Z' }, 'label_end', /30 days/],
    ['a target of 2', { target: '2' }, 'target', /0 or 1/],
    ['no JSON', { events: 'buy' }, 'events', /JSON array/],
    ['two events', { events: events() }, 'events', /2 events, 3 to 512/],
    ['another type', { events: events(event(1_600_000_002, 'sell')) }, 'events', /event 3 is not/],
    ['a time as text', { events: events(event('1600000002')) }, 'events', /event 3 is not/],
    ['a third field', { events: events(event(1_600_000_002, 'pv', 1)) }, 'events', /event 3 is not/],
    ['events out of order', { events: events(event(1_500_000_000)) }, 'events', /event 3 lies before/],
    ['an event at as_of', { events: events(event(1_767_225_600)) }, 'events', /not lie before as_of/],
  ])('%s', (_, sample, column, message) => {
    expect(issuesOf(alignmentCsv(900, { 7: sample }))).toEqual([
      { row: 7, column, message: expect.stringMatching(message) },
    ]);
  });

  test('a label of the future', () => {
    const later = { as_of: '2026-02-20T00:00:00Z', label_end: '2026-03-22T00:00:00Z' };
    expect(issuesOf(alignmentCsv(900, { 3: later }))).toEqual([
      { row: 3, column: 'label_end', message: expect.stringContaining('future') },
    ]);
  });

  test('too few and too many samples', () => {
    expect(issuesOf(alignmentCsv(499))).toEqual([
      { row: 0, column: 'sample_id', message: expect.stringContaining('499 independent samples') },
    ]);
    expect(issuesOf(alignmentCsv(2_001))).toHaveLength(1);
  });

  test('columns that are missing, twice or not known; an empty file', () => {
    const header = alignmentCsv().replace('target,events', 'target,target,note');
    expect(issuesOf(header).map(({ column, message }) => `${column} ${message}`)).toEqual(
      expect.arrayContaining(['events is missing', 'target occurs twice', 'note is not known']),
    );
    expect(issuesOf('')).not.toEqual([]);
  });

  test('a horizon of no whole days', () => {
    expect(issuesOf(alignmentCsv(), 0.5)[0]).toMatchObject({ row: 0, column: 'label_end' });
  });

  test('one target, equal events, and equal events with different targets', () => {
    const every = (sample: (row: number) => GivenSample) =>
      Object.fromEntries(Array.from({ length: 900 }, (_, row) => [row + 1, sample(row)]));
    const same = events(event(1_600_000_002));
    expect(
      issuesOf(
        alignmentCsv(
          600,
          every(() => ({ target: '1' })),
        ),
      ),
    ).toMatchObject([{ column: 'target' }]);
    const constant = issuesOf(
      alignmentCsv(
        600,
        every(() => ({ events: same })),
      ),
    );
    expect(constant.map(({ message }) => message)).toEqual([
      'is the same in all rows',
      expect.stringContaining('with different targets'),
    ]);
  });
});
