import { DAY_MS } from '@loyalty/platform/base/clock';
import type { MemberHistory } from '../alignment/member-history.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { std1 } from '../standard-model/std-1.ts';

type Random = () => number;

/** Members of a known process, who are observed from `FIRST_DAY` on. */
export interface GeneratedProcess {
  readonly name: string;
  readonly histories: readonly MemberHistory[];
}

const FIRST_DAY = 19_000;
const DAYS = 900;
const MEMBERS = 2_500;
const YEAR = 365;

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** Gamma variates by Marsaglia and Tsang, ACM Transactions on Mathematical Software 26 (2000), 363. */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function beta(random: Random, a: number, b: number): number {
  const one = gamma(random, a);
  return one / (one + gamma(random, b));
}

interface Buyer {
  readonly next: (random: Random) => number;
  readonly leaves: (random: Random) => boolean;
}

/** Generates the purchases of members who begin at any time and buy until they leave. */
function purchasesOf(random: Random, { next, leaves }: Buyer, begins = random() * DAYS * 0.6): number[] {
  const days: number[] = [];
  for (let day = begins; day < DAYS; day += next(random)) {
    days.push(FIRST_DAY + Math.floor(day));
    if (leaves(random)) break;
  }
  return [...new Set(days)];
}

const members = (count: number, days: () => readonly number[]): MemberHistory[] =>
  Array.from({ length: count }, () => ({ purchaseDays: days(), events: [] }));

const leavesWith = (chance: number) => (random: Random) => random() < chance;

/**
 * The process to which the parameters were fitted: purchases at random times, and leaving after one of them.
 */
function randomBuyers(random: Random): MemberHistory[] {
  const { r, alpha, a, b } = std1;
  return members(MEMBERS, () => {
    const mean = alpha / gamma(random, r);
    const leaves = leavesWith(beta(random, a, b));
    return purchasesOf(random, { next: () => exponential(random, mean), leaves });
  });
}

/** Pareto/NBD: purchases at random times, and leaving at any time. */
function leavingAnyTime(random: Random): MemberHistory[] {
  return members(MEMBERS, () => {
    const mean = 30 / gamma(random, 1.2);
    const begins = random() * DAYS * 0.6;
    const left = begins + exponential(random, 500 / gamma(random, 1.5));
    const bought = purchasesOf(
      random,
      { next: () => exponential(random, mean), leaves: () => false },
      begins,
    );
    return bought.filter((day) => day <= FIRST_DAY + left || day === FIRST_DAY + Math.floor(begins));
  });
}

/** Individual intervals with this deviation, and leaving after a purchase with this chance. */
const ownIntervals =
  (deviation: number, leaving: number, from: number, to: number) =>
  (random: Random): MemberHistory[] =>
    members(MEMBERS, () => {
      const interval = from + (to - from) * random();
      const next = () => Math.max(1, interval * Math.exp(deviation * normal(random)));
      return purchasesOf(random, { next, leaves: leavesWith(leaving) });
    });

/** Bursts of purchases, far apart. */
function bursts(random: Random): MemberHistory[] {
  return members(MEMBERS, () => {
    const between = 40 + 160 * random();
    const next = () => (random() < 0.7 ? 1 + exponential(random, 3) : exponential(random, between));
    return purchasesOf(random, { next, leaves: leavesWith(0.04) });
  });
}

/** A third buy in two months of the year only, several times in each; the others at random. */
function seasons(random: Random): MemberHistory[] {
  return members(MEMBERS, () => {
    if (random() > 1 / 3)
      return purchasesOf(random, { next: () => exponential(random, 60), leaves: leavesWith(0.08) });
    const days: number[] = [];
    for (let year = 0; year * YEAR < DAYS; year += 1) {
      for (let visit = 0; visit < 3; visit += 1) {
        const day = year * YEAR + 120 + Math.floor(50 * random());
        if (day < DAYS) days.push(FIRST_DAY + day);
      }
    }
    return [...new Set(days)].sort((one, other) => one - other);
  });
}

/** Half of the members have a rhythm, half buy at random. */
function mixed(random: Random): MemberHistory[] {
  return members(MEMBERS, () => {
    const interval = 15 + 75 * random();
    const isRegular = random() < 0.5;
    const next = () =>
      isRegular ? interval * Math.exp(0.15 * normal(random)) : exponential(random, interval);
    return purchasesOf(random, { next: () => Math.max(1, next()), leaves: leavesWith(0.07) });
  });
}

/** All members buy at the same rate, and none leaves: no score can distinguish them. */
function alike(random: Random): MemberHistory[] {
  return members(MEMBERS, () =>
    purchasesOf(random, { next: () => exponential(random, 45), leaves: () => false }),
  );
}

/** Visitors, some of whom buy; frequent and recent visitors more often. */
function visitors(random: Random): MemberHistory[] {
  return Array.from({ length: MEMBERS }, () => {
    const between = 5 + exponential(random, 25);
    const conversion = beta(random, 0.6, 30);
    const events: { ms: number; type: string }[] = [];
    const days: number[] = [];
    let isActive = true;
    for (let day = random() * DAYS * 0.8; day < DAYS && isActive; day += exponential(random, between)) {
      const ms = (FIRST_DAY + day) * DAY_MS;
      const views = 1 + Math.floor(exponential(random, 4));
      for (let view = 0; view < views; view += 1) events.push({ ms: ms + view * 60_000, type: 'view' });
      // Members with a purchase buy again more easily.
      if (random() < conversion * (days.length > 0 ? 4 : 1)) {
        days.push(FIRST_DAY + Math.floor(day));
        events.push({ ms: ms + views * 60_000, type: 'purchase' });
      }
      isActive = random() > 0.06;
    }
    return { purchaseDays: [...new Set(days)], events };
  });
}

const processes: Readonly<Record<string, (random: Random) => MemberHistory[]>> = {
  'random, leaving with a purchase': randomBuyers,
  'random, leaving at any time': leavingAnyTime,
  'exact rhythm of 30 days': ownIntervals(0.02, 0.06, 30, 30),
  'own rhythm, varies by .12': ownIntervals(0.12, 0.06, 15, 100),
  'own rhythm, varies by .5': ownIntervals(0.5, 0.08, 10, 90),
  'half rhythm, half random': mixed,
  bursts,
  seasons,
  visitors,
  'all alike': alike,
};

/** Returns every process, with the same members each time. */
export const generatedProcesses = (): GeneratedProcess[] =>
  Object.entries(processes).map(([name, generate], place) => ({
    name,
    histories: generate(seededRandom(100 + place)),
  }));
