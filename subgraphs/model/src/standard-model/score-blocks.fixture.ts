import { DAY_MS } from '@loyalty/platform/base/clock';
import fc from 'fast-check';
import type { ScoreRequest } from './score-port.ts';
import { STANDARD_VERSIONS } from './standard-versions.ts';
import { CUTOFF } from './statistics-block.fixture.ts';
import { emptyBlock, type StatisticsBlock, type WorkspaceFigures } from './statistics-block.ts';

const count = fc.integer({ min: -2, max: 3_000 });
const day = fc.integer({ min: CUTOFF.day - 3_000, max: CUTOFF.day + 10 });
const sum = fc.double({ min: -1, max: 1e9 });
const time = fc.oneof(
  fc.double({ min: CUTOFF.ms - 3_000 * DAY_MS, max: CUTOFF.ms + DAY_MS }),
  fc.constant(Number.NaN),
);

/** Values of each column, among them a few that are impossible for a member. */
const values: Readonly<Record<Exclude<keyof StatisticsBlock, 'size'>, fc.Arbitrary<number>>> = {
  purchaseDays: count,
  firstDay: day,
  lastDay: day,
  logSum: sum,
  logSquares: sum,
  daySquares: sum,
  purchaseMonths: fc.nat(4_200),
  events: count,
  sessions: count,
  buySessions: count,
  firstEventMs: time,
  lastEventMs: time,
  decayedAdds: sum,
  decayedRemoves: sum,
  lastCartMs: time,
  decayedOrders: sum,
  maxOccurredMs: time,
  isLate: fc.integer({ min: 0, max: 2 }),
};

const block = fc.array(fc.record(values), { maxLength: 40 }).map((rows): StatisticsBlock => {
  const members = emptyBlock(rows.length);
  for (const [row, member] of rows.entries()) {
    for (const [name, value] of Object.entries(member)) members[name as keyof typeof values][row] = value;
  }
  return members;
});

const horizon = fc.oneof(fc.constant({}), fc.integer({ min: 1, max: 365 }));

const share = fc
  .record({ members: fc.nat(1e6), part: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ members, part }) => ({ members, bought: Math.floor(members * part) }));
const positive = fc.double({ min: 0.01, max: 9, noNaN: true });

const figures: fc.Arbitrary<WorkspaceFigures> = fc
  .record({
    intervals: fc.option(fc.record({ mean: positive, varianceWithin: positive, varianceBetween: positive })),
    browsers: share,
    meanWeight: fc.option(positive),
    bestBuyers: share,
    hasLowSkill: fc.boolean(),
  })
  .map(({ meanWeight, browsers, ...rest }) => ({ ...rest, browsers: { ...browsers, meanWeight } }));

/** Any request; some of its members cannot be scored. */
export const anyRequest: fc.Arbitrary<ScoreRequest> = fc
  .record({
    members: block,
    purchaseDays: horizon,
    gapDays: horizon,
    adds: fc.nat(1e6),
    removes: fc.nat(1e6),
    version: fc.constantFrom(...STANDARD_VERSIONS),
    figures,
  })
  .map(({ members, purchaseDays, gapDays, adds, removes, ...inputs }) => ({
    members,
    cutoff: CUTOFF,
    options: {
      ...inputs,
      pool: { adds, removes },
      ...(typeof purchaseDays === 'number' && { purchaseDays }),
      ...(typeof gapDays === 'number' && { gapDays }),
    },
  }));

/** Returns the bytes of every column, by name. */
export const bitsOf = (block: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(block)
      .filter(([, column]) => ArrayBuffer.isView(column))
      .map(([name, { buffer, byteOffset, byteLength }]) => [
        name,
        Buffer.from(buffer, byteOffset, byteLength).toString('hex'),
      ]),
  );
