import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { stateOf } from './present-state.ts';
import { score } from './score.ts';
import type { SignalStatus } from './standard-state.ts';
import { standardModels } from './standard-versions.ts';
import { blockOf, CUTOFF, type MemberStatistics } from './statistics-block.fixture.ts';
import { NO_FIGURES } from './statistics-block.ts';

const pool = { adds: 400, removes: 100 };

function state(member: MemberStatistics, options: { pool: typeof pool; purchaseDays?: number } = { pool }) {
  const members = blockOf([{}, member]);
  return stateOf(
    members,
    score(members, CUTOFF, { version: 'std-1', figures: NO_FIGURES, ...options }),
    1,
    CUTOFF,
    options,
  );
}

const regular = { purchaseDays: 3, firstAgo: 100, lastAgo: 10 };
const browser = { events: 3, sessions: 2, firstEventAgo: 40, lastEventAgo: 5 };
const carts = { adds: 5, removes: 1, lastCartAgo: 0, lastEventAgo: 0 };

type Row = [guarantee: string, member: MemberStatistics, status: SignalStatus, reasons: string[]];

describe('purchase', () => {
  test.each<Row>([
    ['is OK with two repeats', regular, 'OK', []],
    ['is OK when the first purchase is 28 days old', { ...regular, firstAgo: 28 }, 'OK', []],
    ['is OK after 730 days of silence', { ...regular, firstAgo: 900, lastAgo: 730 }, 'OK', []],
    ['is degraded without a repeat', { purchaseDays: 1, firstAgo: 100 }, 'DEGRADED', ['PRIOR_DRIVEN']],
    ['is degraded with one repeat', { ...regular, purchaseDays: 2 }, 'DEGRADED', ['PRIOR_DRIVEN']],
    ['is degraded within 28 days', { ...regular, firstAgo: 27 }, 'DEGRADED', ['SHORT_HISTORY']],
    ['is degraded after 731 days', { ...regular, firstAgo: 900, lastAgo: 731 }, 'DEGRADED', ['STALE']],
    ['is degraded with late facts', { ...regular, isLate: true }, 'DEGRADED', ['LATE_DATA']],
    [
      'has all of its reasons',
      { purchaseDays: 1, firstAgo: 731, isLate: true },
      'DEGRADED',
      ['PRIOR_DRIVEN', 'STALE', 'LATE_DATA'],
    ],
    ['is degraded with three events alone', browser, 'DEGRADED', ['NO_PURCHASE_HISTORY']],
    [
      'is degraded with three events that came late',
      { ...browser, isLate: true },
      'DEGRADED',
      ['NO_PURCHASE_HISTORY', 'LATE_DATA'],
    ],
    ['is unavailable with two events', { ...browser, events: 2 }, 'UNAVAILABLE', ['INSUFFICIENT_HISTORY']],
    ['is unavailable with nothing', {}, 'UNAVAILABLE', ['INSUFFICIENT_HISTORY']],
    ['needs no events beside purchases', { ...regular, events: 0 }, 'OK', []],
  ])('%s', (_, member, status, reasons) => {
    const { purchase } = state(member);
    expect(purchase).toMatchObject({ status, reasons, horizonDays: 30 });
    expect(purchase.score === null).toBe(status === 'UNAVAILABLE');
  });
});

describe('long gap', () => {
  test.each<Row>([
    ['is OK with two repeats', regular, 'OK', []],
    ['is OK when the first purchase is 28 days old', { ...regular, firstAgo: 28 }, 'OK', []],
    ['is degraded without a repeat', { purchaseDays: 1, firstAgo: 100 }, 'DEGRADED', ['PRIOR_DRIVEN']],
    ['is degraded with one repeat', { ...regular, purchaseDays: 2 }, 'DEGRADED', ['PRIOR_DRIVEN']],
    ['is degraded within 28 days', { ...regular, firstAgo: 27 }, 'DEGRADED', ['SHORT_HISTORY']],
    ['is degraded after 731 days', { ...regular, firstAgo: 900, lastAgo: 731 }, 'DEGRADED', ['STALE']],
    ['is degraded with late facts', { ...regular, isLate: true }, 'DEGRADED', ['LATE_DATA']],
    ['is unavailable without a purchase', browser, 'UNAVAILABLE', ['NO_PURCHASE_HISTORY']],
    ['is unavailable with nothing', {}, 'UNAVAILABLE', ['NO_PURCHASE_HISTORY']],
  ])('%s', (_, member, status, reasons) => {
    const { longGap } = state(member);
    expect(longGap).toMatchObject({ status, reasons, horizonDays: 90 });
    expect(longGap.score === null).toBe(status === 'UNAVAILABLE');
  });
});

describe('cart removal', () => {
  test.each<Row>([
    ['is OK with five adds', carts, 'OK', []],
    ['is OK 90 days after an event', { ...carts, adds: 99, lastCartAgo: 90, lastEventAgo: 90 }, 'OK', []],
    [
      'is OK with old carts and a new event',
      { ...carts, adds: 99, lastCartAgo: 99, lastEventAgo: 1 },
      'OK',
      [],
    ],
    ['is degraded below five adds', { ...carts, adds: 4.9 }, 'DEGRADED', ['FEW_CART_EVENTS']],
    [
      'is degraded when five adds have decayed',
      { ...carts, lastCartAgo: 1 },
      'DEGRADED',
      ['FEW_CART_EVENTS'],
    ],
    ['is degraded with removals alone', { ...carts, adds: 0 }, 'DEGRADED', ['FEW_CART_EVENTS']],
    [
      'is degraded after 91 days',
      { ...carts, adds: 99, lastCartAgo: 91, lastEventAgo: 91 },
      'DEGRADED',
      ['STALE'],
    ],
    ['is degraded with late facts', { ...carts, isLate: true }, 'DEGRADED', ['LATE_DATA']],
    ['is unavailable without cart events', { ...regular, ...browser }, 'UNAVAILABLE', ['NO_CART_EVENTS']],
  ])('%s', (_, member, status, reasons) => {
    const { cartRemoval } = state(member);
    expect(cartRemoval).toMatchObject({ status, reasons, horizonDays: null });
    expect(cartRemoval.score === null).toBe(status === 'UNAVAILABLE');
  });

  test('is unavailable where the workspace has no cart events', () => {
    const { cartRemoval } = state(carts, { pool: { adds: 0, removes: 0 } });
    expect(cartRemoval).toMatchObject({ status: 'UNAVAILABLE', score: null, reasons: ['NO_CART_EVENTS'] });
  });
});

describe('the state as a whole', () => {
  test.each<[string, MemberStatistics, SignalStatus]>([
    ['is OK with purchase and long gap, without carts', regular, 'OK'],
    ['is OK with a degraded cart signal', { ...regular, ...carts, adds: 1 }, 'OK'],
    ['is degraded with degraded purchases', { ...regular, purchaseDays: 2 }, 'DEGRADED'],
    ['is degraded with browsing alone', browser, 'DEGRADED'],
    ['is degraded with carts alone', { ...carts, events: 2 }, 'DEGRADED'],
    ['is unavailable with nothing', {}, 'UNAVAILABLE'],
    ['is unavailable with two views', { events: 2, firstEventAgo: 9, lastEventAgo: 1 }, 'UNAVAILABLE'],
  ])('%s', (_, member, status) => expect(state(member).status).toBe(status));

  test('always says that scores are not calibrated and no churn labels', () => {
    expect(state({ ...regular, ...carts }).limitations).toEqual([
      'NOT_CALIBRATED',
      'NOT_A_CHURN_LABEL',
      'CART_SIGNAL_NOT_VALIDATED',
    ]);
  });

  test('has the reasons of its signals among its limitations, each once', () => {
    const { limitations } = state({ purchaseDays: 1, firstAgo: 5 });
    expect(limitations).toEqual([
      'NOT_CALIBRATED',
      'NOT_A_CHURN_LABEL',
      'PRIOR_DRIVEN',
      'SHORT_HISTORY',
      'NO_CART_EVENTS',
    ]);
  });

  test('names the horizon that was asked for', () => {
    expect(state(regular, { pool, purchaseDays: 7 }).purchase.horizonDays).toBe(7);
  });

  test('has scores of 6 decimals', () => {
    const { purchase, longGap } = state(regular);
    for (const value of [purchase.score!, longGap.score!]) expect(value).toBe(Number(value.toFixed(6)));
  });
});

describe('evidence', () => {
  const at = (daysAgo: number) => new Date(CUTOFF.ms - daysAgo * DAY_MS);
  const evidenceFor = (member: MemberStatistics) =>
    Object.fromEntries(
      state(member).evidence.map(({ kind, value, observedAt }) => [kind, [value, observedAt]]),
    );

  test('holds what purchases say, with days as days', () => {
    // Intervals of 20, 30 and 40 days: mean 30, standard deviation 10.
    const member = { purchaseDays: 4, firstAgo: 100, lastAgo: 10, daySquares: 400 + 900 + 1_600 };
    expect(evidenceFor(member)).toMatchObject({
      n_purchase_days: [4, null],
      first_purchase_day: ['2025-09-23', null],
      last_purchase_day: ['2025-12-22', null],
      gap_days: [10, at(0)],
      interval_mean_days: [30, null],
      interval_sd_days: [10, null],
      alive_chance: [expect.any(Number), at(0)],
      gap_survival: [expect.any(Number), at(0)],
    });
  });

  test('has no interval of fewer than two', () => {
    const { interval_mean_days, interval_sd_days, gap_days } = evidenceFor({ ...regular, purchaseDays: 2 });
    expect([interval_mean_days, interval_sd_days, gap_days?.[0]]).toEqual([undefined, undefined, 10]);
  });

  test('holds what events say, with carts decayed to the cutoff', () => {
    const member = { sessions: 7, lastEventAgo: 2, adds: 8, removes: 2, lastCartAgo: 30, maxOccurredAgo: 1 };
    expect(evidenceFor(member)).toEqual({
      n_purchase_days: [0, null],
      sessions: [7, at(2)],
      cart_adds: [4, at(30)],
      cart_removes: [1, at(30)],
      data_through: [at(1).toISOString(), at(1)],
    });
  });

  test('of a member without facts says so', () => {
    expect(evidenceFor({})).toEqual({
      n_purchase_days: [0, null],
      sessions: [0, null],
      cart_adds: [0, null],
      cart_removes: [0, null],
      data_through: [null, null],
    });
  });
});

test('the fingerprint of the parameters changes only with them', () => {
  expect(standardModels['std-1']).toMatchObject({ name: 'standard', version: 'std-1' });
  expect(standardModels['std-1'].parametersSha256).toBe(
    'ade4dfa9c6ac9e3c32e155a774f72628365094e67a7b5fa43e0c16a523d3e5a4',
  );
});
