import { DAY_MS } from '@loyalty/platform/base/clock';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { upperTail } from '../numerics/distributions.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { closedWindows } from './history-windows.ts';
import { collectWindows, type LabeledHistory } from './labeled-windows.ts';
import type { MemberHistory } from './member-history.ts';

/** Day of the first purchases. */
export const FIRST_DAY = 19_000;

/** Members of a known process, who buy on days up to `until`. */
export interface GeneratedMembers {
  readonly until: number;
  readonly histories: readonly MemberHistory[];
  /** The true chance of the process that a member buys within this many days after a day. */
  readonly chanceOf: (member: number, day: number, horizon: number) => number;
}

interface Size {
  readonly members: number;
  readonly days: number;
  readonly seed: number;
}

type Random = () => number;

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

const historyOf = (days: readonly number[]): MemberHistory => ({
  purchaseDays: [...new Set(days)].sort((one, other) => one - other),
  events: [],
});

/**
 * Each buys at individual intervals of 20 to 120 days with little variation: only the rhythm predicts the
 * next purchase.
 */
export function rhythmicMembers({ members, days, seed }: Size): GeneratedMembers {
  const random = seededRandom(seed);
  const until = FIRST_DAY + days;
  const deviation = 0.12;
  const intervals = Array.from({ length: members }, () => 20 + 100 * random());
  const histories = intervals.map((interval) => {
    const bought: number[] = [];
    let day = FIRST_DAY + random() * interval;
    for (; day <= until; day += interval * Math.exp(deviation * normal(random))) bought.push(Math.floor(day));
    return historyOf(bought);
  });
  return {
    until,
    histories,
    chanceOf(member, day, horizon) {
      const last = histories[member]!.purchaseDays.findLast((each) => each <= day) ?? FIRST_DAY;
      const tail = (gap: number) => upperTail(Math.log(Math.max(gap, 0.5) / intervals[member]!) / deviation);
      const left = tail(day - last);
      return left === 0 ? 1 : 1 - tail(day - last + horizon) / left;
    },
  };
}

/** Buyers with a fixed rate who leave for good after any purchase with a chance of 1 in 8. */
export function lapsingMembers({ members, days, seed }: Size): GeneratedMembers {
  const random = seededRandom(seed);
  const until = FIRST_DAY + days;
  const people = Array.from({ length: members }, () => {
    const [mean, leaving] = [8 + 24 * random(), 0.125];
    const bought: number[] = [];
    let isActive = true;
    for (let day = FIRST_DAY + random() * days; day <= until && isActive; ) {
      bought.push(Math.floor(day));
      isActive = random() >= leaving;
      day += exponential(random, mean);
    }
    return { mean, leaving, history: historyOf(bought) };
  });
  return {
    until,
    histories: people.map(({ history }) => history),
    chanceOf(member, day, horizon) {
      const { mean, leaving, history } = people[member]!;
      const last = history.purchaseDays.findLast((each) => each <= day) ?? day;
      const silent = (1 - leaving) * Math.exp(-(day - last) / mean);
      return (silent / (silent + leaving)) * -Math.expm1(-horizon / mean);
    },
  };
}

/** Each buys once a year in an individual season, and seldom at other times. */
export function seasonalMembers({ members, days, seed }: Size): GeneratedMembers {
  const random = seededRandom(seed);
  const until = FIRST_DAY + days;
  const seldom = 1 / 200;
  const inSeason = 0.9;
  const people = Array.from({ length: members }, () => {
    const season = Math.floor(random() * 365);
    const bought: number[] = [];
    for (let year = 0; year * 365 <= days; year += 1) {
      const day = FIRST_DAY + year * 365 + season + Math.floor(10 * random());
      if (random() < inSeason && day <= until) bought.push(day);
    }
    for (let day = FIRST_DAY + exponential(random, 1 / seldom); day <= until; ) {
      bought.push(Math.floor(day));
      day += exponential(random, 1 / seldom);
    }
    return { season, history: historyOf(bought) };
  });
  return {
    until,
    histories: people.map(({ history }) => history),
    chanceOf(member, day, horizon) {
      const { season, history } = people[member]!;
      const since = (((day - FIRST_DAY - season) % 365) + 365) % 365;
      const daysLeft = Array.from({ length: 10 }, (_, place) => place - since).filter((each) => each > 0);
      const hasBought = history.purchaseDays.some((each) => each > day - since - 1 && each <= day);
      const now = since < 10 && !hasBought ? daysLeft.filter((each) => each <= horizon).length / 10 : 0;
      const begun = (10 - daysLeft.length) / 10;
      const next = Array.from({ length: 10 }, (_, place) => 365 - since + place);
      const inNext = next.filter((each) => each <= horizon).length / 10;
      const inThis = (inSeason * now) / (1 - inSeason * begun);
      return 1 - (1 - inThis) * (1 - inSeason * inNext) * Math.exp(-horizon * seldom);
    },
  };
}

/** All members buy on any day with the same chance: the past predicts nothing. */
export function indistinctMembers({ members, days, seed }: Size): GeneratedMembers {
  const random = seededRandom(seed);
  const until = FIRST_DAY + days;
  const mean = 40;
  const histories = Array.from({ length: members }, () => {
    const bought: number[] = [FIRST_DAY];
    for (let day = FIRST_DAY + exponential(random, mean); day <= until; day += exponential(random, mean))
      bought.push(Math.floor(day));
    return historyOf(bought);
  });
  return { until, histories, chanceOf: (_, __, horizon) => -Math.expm1(-horizon / mean) };
}

/**
 * Every member puts something into a cart every 10 days or so, and buys it at once with an individual chance.
 */
export function cartMembers(
  { members, days, seed }: Size,
  buyingOf: (random: Random) => number,
): GeneratedMembers {
  const random = seededRandom(seed);
  const until = FIRST_DAY + days;
  const mean = 10;
  const people = Array.from({ length: members }, () => {
    const buying = buyingOf(random);
    const [bought, events]: [number[], { ms: number; type: string }[]] = [[FIRST_DAY], []];
    for (let day = FIRST_DAY + exponential(random, mean); day <= until; day += exponential(random, mean)) {
      events.push({ ms: day * DAY_MS, type: 'cart_add' });
      if (random() < buying) bought.push(Math.floor(day));
    }
    return { buying, history: { ...historyOf(bought), events } };
  });
  return {
    until,
    histories: people.map(({ history }) => history),
    chanceOf: (member, _, horizon) => -Math.expm1((-horizon * people[member]!.buying) / mean),
  };
}

/** Returns the closed windows of generated members. */
export function windowsOf(
  { until, histories }: GeneratedMembers,
  target: AlignmentTarget,
  horizon: number,
): LabeledHistory {
  const windows = closedWindows(until + 1, FIRST_DAY, horizon);
  const collector = collectWindows({
    windows: windows.map((window) => ({ ...window, cutoffMs: (window.cutoffDay + 1) * DAY_MS })),
    ...{ target, horizon, hasLastYear: windows.at(-1)!.cutoffDay - 365 >= FIRST_DAY },
  });
  collector.add(
    histories.map((_, member) => `member-${member}`),
    histories,
  );
  return collector.finish();
}
