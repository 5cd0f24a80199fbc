/** One award of points with its later changes. */
interface Award {
  readonly place: number;
  readonly isOrder: boolean;
  /** Points in the ledger; while pending, the remaining points. */
  points: number;
  /** Time of booking; null while pending. */
  at: number | null;
  readonly availableAt: number;
  /** Points debited again by reversals and refunds. */
  taken: number;
  isReversed: boolean;
  /** Unspent points, if points expire. */
  remaining: number;
  expired: number;
  expiresAt: number;
}

/** One member's ledger in plain numbers, for comparison with the real one. Time is counted in days from 0. */
export interface LedgerModel {
  balance: number;
  earned: number;
  now: number;
  readonly awards: Award[];
  readonly counted: { readonly points: number; readonly at: number }[];
  readonly pendingDays: number;
  /** Infinity if points never expire. */
  readonly expireDays: number;
}

export function newLedger(rules: { readonly pending: number | null; readonly expire: number | null }) {
  const expireDays = rules.expire ?? Number.POSITIVE_INFINITY;
  const empty = { balance: 0, earned: 0, now: 0, awards: [], counted: [] };
  return { ...empty, pendingDays: rules.pending ?? 0, expireDays } satisfies LedgerModel as LedgerModel;
}

export function give(model: LedgerModel, points: number, isOrder: boolean): void {
  const availableAt = model.now + model.pendingDays;
  const fresh = { at: null, taken: 0, isReversed: false, remaining: 0, expired: 0, expiresAt: 0 };
  const award: Award = { place: model.awards.length, isOrder, points, availableAt, ...fresh };
  model.awards.push(award);
  if (model.pendingDays === 0) release(model, award);
}

/** Returns false if the member has too few. */
export function spend(model: LedgerModel, points: number): boolean {
  if (points > model.balance) return false;
  takeAway(model, points, null);
  return true;
}

/** Takes points of a refund back; returns the amount of its entry, or null without an entry. */
export function refund(model: LedgerModel, award: Award, points: number): number | null {
  const waited = award.at === null ? Math.min(points, award.points) : 0;
  award.points -= waited;
  const earned = award.at === null ? 0 : Math.min(points, award.points - award.taken);
  return waited + earned === 0 ? null : takeBack(model, award, earned);
}

/** Returns the amount of a reversal's entry; null if it is refused. */
export function reverse(model: LedgerModel, award: Award): number | null {
  const left = award.points - award.taken;
  if (award.isReversed || left === 0) return null;
  award.isReversed = true;
  if (award.at !== null) return takeBack(model, award, left);
  award.points = 0;
  return 0;
}

/** Advances time by days; afterwards pending points are booked, then unspent points expire. */
export function advance(model: LedgerModel, days: number): void {
  model.now += days;
  for (const award of model.awards)
    if (award.at === null && award.points > 0 && award.availableAt <= model.now) release(model, award);
  for (const award of model.awards.filter(({ expiresAt }) => expiresAt <= model.now)) {
    model.balance -= award.remaining;
    award.expired += award.remaining;
    award.remaining = 0;
  }
}

export function earnedWithin(model: LedgerModel, days: number): number {
  const inPeriod = model.counted.filter(({ at }) => at > model.now - days);
  return Math.max(
    0,
    inPeriod.reduce((total, { points }) => total + points, 0),
  );
}

function release(model: LedgerModel, award: Award): void {
  award.at = model.now;
  award.expiresAt = model.now + model.expireDays;
  award.remaining = Number.isFinite(model.expireDays) ? award.points : 0;
  model.balance += award.points;
  count(model, award.points, model.now);
}

function count(model: LedgerModel, points: number, at: number): void {
  model.earned = Math.max(0, model.earned + points);
  model.counted.push({ points, at });
}

function takeBack(model: LedgerModel, award: Award, earned: number): number {
  const unexpired = Math.max(0, award.points - award.taken - award.expired);
  const amount = Math.min(earned, unexpired, model.balance);
  if (award.at !== null) count(model, -earned, award.at);
  award.taken += earned;
  takeAway(model, amount, award);
  return 0 - amount;
}

/** Takes points from the named award first, then from those that expire soonest. */
function takeAway(model: LedgerModel, points: number, first: Award | null): void {
  model.balance -= points;
  let left = points;
  const inOrder = model.awards.toSorted(
    (one, other) =>
      Number(other === first) - Number(one === first) ||
      one.expiresAt - other.expiresAt ||
      one.place - other.place,
  );
  for (const award of inOrder) {
    const taken = Math.min(left, award.remaining);
    award.remaining -= taken;
    left -= taken;
  }
}
