import { expect, test } from '@jest/globals';
import { failedRows } from './failed-rows.ts';
import { score } from './score.ts';
import { scoreMembers } from './score-port.ts';
import { blockOf, CUTOFF } from './statistics-block.fixture.ts';
import { NO_FIGURES, type StatisticsBlock } from './statistics-block.ts';

const options = { version: 'std-2', pool: { adds: 100, removes: 20 }, figures: NO_FIGURES } as const;

const three = () =>
  blockOf([
    {
      purchaseDays: 4,
      firstAgo: 90,
      lastAgo: 10,
      events: 12,
      sessions: 5,
      firstEventAgo: 90,
      lastEventAgo: 10,
    },
    { purchaseDays: 4, firstAgo: 90, lastAgo: 10, adds: 6, removes: 1, lastCartAgo: 3, lastEventAgo: 3 },
    { events: 5, sessions: 2, firstEventAgo: 20, lastEventAgo: 1 },
  ]);

type Column = Exclude<keyof StatisticsBlock, 'size'>;

test.each<[Column, number]>([
  ['purchaseDays', -1],
  ['firstDay', CUTOFF.day],
  ['events', -3],
  ['sessions', -1],
  ['buySessions', -1],
  ['logSum', Number.NaN],
  ['logSquares', Number.POSITIVE_INFINITY],
  ['daySquares', -1],
  ['purchaseMonths', 4_096],
  ['decayedAdds', Number.NaN],
  ['decayedRemoves', -0.5],
  ['decayedOrders', Number.NEGATIVE_INFINITY],
  ['firstEventMs', CUTOFF.ms + 1],
  ['lastEventMs', Number.NEGATIVE_INFINITY],
  ['lastCartMs', Number.POSITIVE_INFINITY],
  ['maxOccurredMs', Number.POSITIVE_INFINITY],
  ['isLate', 2],
])('a row whose %s is %d is not scored, and the others are as without it', (column, value) => {
  const members = three();
  members.lastEventMs[1] = CUTOFF.ms;
  const expected = scoreMembers({ members, cutoff: CUTOFF, options });
  expect([...expected.failed]).toEqual([0, 0, 0]);
  members[column][1] = value;
  const { scores, failed } = scoreMembers({ members, cutoff: CUTOFF, options });
  expect([...failed]).toEqual([0, 1, 0]);
  for (const name of ['purchase', 'longGap', 'cartRemoval', 'aliveChance', 'gapSurvival'] as const) {
    expect([...scores[name]]).toEqual([expected.scores[name][0], Number.NaN, expected.scores[name][2]]);
  }
});

test('members without facts have no scores, which is no failure', () => {
  const { scores, failed } = scoreMembers({ members: blockOf([{}]), cutoff: CUTOFF, options });
  expect([...failed]).toEqual([0]);
  expect(scores.purchase[0]).toBeNaN();
});

test.each(['purchase', 'longGap', 'cartRemoval', 'aliveChance', 'gapSurvival'] as const)(
  'a row whose %s is missing without a reason has failed',
  (name) => {
    const members = three();
    const scores = score(members, CUTOFF, options);
    scores[name][1] = Number.NaN;
    expect([...failedRows(members, scores)]).toEqual([0, 1, 0]);
    scores[name][0] = Number.POSITIVE_INFINITY;
    expect([...failedRows(members, scores)]).toEqual([1, 1, 0]);
  },
);
